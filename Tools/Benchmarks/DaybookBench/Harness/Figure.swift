import Foundation

/// A number that is not a time, which a contestant measures beside its times.
enum Figure: String, CaseIterable, CodingKeyRepresentable, Codable {
  /// The size of the journal for each byte of the records' content.
  case journalBytesPerPayloadByte
  /// The part of the heap that a live result uses, for each of its rows.
  case heldBytesPerRow
  /// The memory of a process at rest that is not a page of a file.
  case restingBytes
  /// The largest such memory while a process wrote all objects.
  case peakBytes
  /// How much the files of a store grew with each commit.
  case fileBytesPerCommit
  /// The size of a change of a derived row that a projection keeps, with the values in it.
  case bytesPerDerivedChange

  /// The heading of its column.
  var title: String {
    switch self {
    case .journalBytesPerPayloadByte: "journal/payload"
    case .heldBytesPerRow: "heap/row"
    case .restingBytes: "memory"
    case .peakBytes: "peak"
    case .fileBytesPerCommit: "growth/commit"
    case .bytesPerDerivedChange: "bytes/change"
    }
  }

  /// The words of a target for a value, such as "a memory at rest of 40.0 MiB".
  func text(_ value: Double) -> String {
    switch self {
    case .journalBytesPerPayloadByte: "a journal of \(ratio(value)) times the payload"
    case .heldBytesPerRow: "\(ratio(value)) bytes of the heap for a row"
    case .restingBytes: "\(size(bytes: value)) of memory at rest, the map excluded"
    case .peakBytes: "\(size(bytes: value)) of memory at the peak, the map excluded"
    case .fileBytesPerCommit: "\(size(bytes: value)) of growth for a commit"
    case .bytesPerDerivedChange: "\(ratio(value)) bytes for a change of a derived row"
    }
  }

  /// A value in the unit that fits.
  func valueText(_ value: Double) -> String {
    switch self {
    case .journalBytesPerPayloadByte, .heldBytesPerRow, .bytesPerDerivedChange: ratio(value)
    case .restingBytes, .peakBytes, .fileBytesPerCommit: size(bytes: value)
    }
  }
}
