import Daybook
import DaybookGit
import DaybookModel
import DaybookQuery
import DaybookTestSupport
import DaybookTools

/// A decoder for bytes of any source, with the conditions that must always hold.
///
/// No decoder may trap. Accepted input is written and read again, and must be the same: its bytes are compared, so that
/// NaN equals itself.
package enum DecoderCheck: String, CaseIterable, Sendable {
  case header, events, fields, record, json, value, filter, operation, model, line, stream, marker
  case format, largeValueKey, largeValueLine, streamMessage, streamRow

  /// Runs the decoder.
  ///
  /// - Returns: Whether it accepted the bytes.
  /// - Throws: `Mismatch` if accepted input changes in the round trip.
  @discardableResult
  package func run(_ bytes: [UInt8]) throws -> Bool {
    switch self {
    case .header: try Self.header(bytes)
    case .events: try Self.events(bytes)
    case .fields: try Self.fields(bytes)
    case .record: try Self.record(bytes)
    case .json: try Self.json(bytes)
    case .value: try Self.value(bytes)
    case .filter: try Self.filter(bytes)
    case .operation: try Self.operation(bytes)
    case .model: try Self.model(bytes)
    case .line: try Self.line(bytes)
    case .stream: try Self.stream(bytes)
    case .marker: try Self.marker(bytes)
    case .format: try Self.format(bytes)
    case .largeValueKey: try Self.largeValueKey(bytes)
    case .largeValueLine: try Self.largeValueLine(bytes)
    case .streamMessage: try Self.streamMessage(bytes)
    case .streamRow: try Self.streamRow(bytes)
    }
  }

  static func require(_ isRight: Bool, _ what: @autoclosure () -> String) throws {
    if !isRight { throw Mismatch(what()) }
  }

  private static func filter(_ bytes: [UInt8]) throws -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let filter = try? Filter(parsing: text) else { return false }
    let printed = "\(filter)"
    let again = try Filter(parsing: printed)
    try require(again == filter && "\(again)" == printed, "\(text) is printed as \(printed), and that as \(again)")
    return true
  }

  private static func operation(_ bytes: [UInt8]) throws -> Bool {
    guard let line = try? OperationLine(parsing: bytes) else { return false }
    let again = try OperationLine(parsing: Array(JSONValue(parsing: bytes).text.utf8))
    try require(again == line, "\(line) becomes \(again)")
    return true
  }

  private static func stream(_ bytes: [UInt8]) throws -> Bool {
    try require(PathText.decode(PathText.encode(bytes)) == bytes, "the bytes do not come back from a path's text")
    var limits = FastExportLimits()
    (limits.lineLength, limits.messageLength, limits.changesPerCommit) = (4_096, 4_096, 1_000)
    var reader = FastExportReader(MemorySource(bytes), limits: limits)
    do {
      while let commit = try reader.next() {
        try require(
          commit.message.utf8.count <= 3 * limits.messageLength && commit.changes.count <= limits.changesPerCommit,
          "a limit is exceeded")
        _ = commit.subject
      }
      return true
    } catch let error as FastExportError {
      try require(error.lineNumber > 0, "\(error) is in no line")
      return false
    }
  }

  private static func marker(_ bytes: [UInt8]) throws -> Bool {
    guard let marker = SnapshotMarker(content: bytes) else { return false }
    try require(SnapshotMarker(content: marker.content) == marker, "\(marker) does not come back")
    return true
  }
}
