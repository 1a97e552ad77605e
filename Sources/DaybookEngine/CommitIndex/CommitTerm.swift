import DaybookModel

import struct Crypto.SHA256

/// A property by which the index of the journal finds commits.
///
/// A commit has a term for each kind of event of each entity that it contains, however many events these are.
package enum CommitTerm: Hashable, Sendable {
  /// The commit stores a model.
  case model
  /// It has an event of a kind, with a subject of an entity.
  case event(Tag, EventKind)
  /// It has a recorded event of a type.
  case recorded(Tag)
  case author(String)
  case correlation(String)
  /// It names the commit at a position as its cause.
  case causedBy(Position)
  /// It undoes or redoes other commits.
  case undoOrRedo
  /// The day of its time, in UTC, counted from 1970-01-01.
  case day(Int64)

  /// The first byte of the terms with an author, which are listed.
  static let authorCode: UInt8 = 4

  /// The longest text, in encoded bytes, that a key contains; a longer one is represented by its SHA-256.
  static let maximumTextSize = 400

  /// The bytes before the block's number in the keys of the term; the first one identifies the kind of term.
  ///
  /// No term's bytes begin with another's.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .model: bytes.append(1)
    case .event(let entity, let kind):
      bytes.append(2)
      bytes.appendFixed(entity.number)
      bytes.append(kind.rawValue)
    case .recorded(let type):
      bytes.append(3)
      bytes.appendFixed(type.number)
    case .author(let text):
      bytes.append(CommitTerm.authorCode)
      CommitTerm.append(text, to: &bytes)
    case .correlation(let text):
      bytes.append(5)
      CommitTerm.append(text, to: &bytes)
    case .causedBy(let position):
      bytes.append(6)
      bytes.appendFixed(position.number)
    case .undoOrRedo: bytes.append(7)
    case .day(let day):
      bytes.append(8)
      bytes.appendFixed(UInt64(bitPattern: day) ^ (1 << 63))
    }
    return bytes
  }

  /// Appends a text, or after the bytes 0 1, which no text has, its digest.
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    SortKey.appendEscaped(text, to: &bytes)
    guard bytes.count - start > maximumTextSize else { return SortKey.appendEnd(to: &bytes) }
    bytes.removeSubrange(start...)
    bytes += [0, 1]
    bytes.append(contentsOf: SHA256.hash(data: Array(text.utf8)))
  }

  /// Returns the text of a term with one, or `nil` if the term has only its digest.
  static func text(in bytes: [UInt8]) -> String? {
    var text: [UInt8] = []
    var index = 1
    while index + 1 < bytes.count, bytes[index] != 0 || bytes[index + 1] == 255 {
      text.append(bytes[index])
      index += bytes[index] == 0 ? 2 : 1
    }
    guard index + 2 == bytes.count, bytes[index] == 0, bytes[index + 1] == 0 else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the day of a time.
  package static func day(of time: Timestamp) -> CommitTerm {
    let (quotient, rest) = time.microseconds.quotientAndRemainder(dividingBy: microsecondsInDay)
    return .day(rest < 0 ? quotient - 1 : quotient)
  }

  private static let microsecondsInDay: Int64 = 86_400_000_000
}

extension CommitTerm {
  /// Texts are compared by their bytes, as their rows are: two that only look the same have rows of their own.
  package static func == (first: CommitTerm, second: CommitTerm) -> Bool {
    switch (first, second) {
    case (.author(let a), .author(let b)), (.correlation(let a), .correlation(let b)): equalBytes(a, b)
    case (.event(let a, let kind), .event(let b, let other)): a == b && kind == other
    case (.recorded(let a), .recorded(let b)): a == b
    case (.causedBy(let a), .causedBy(let b)): a == b
    case (.day(let a), .day(let b)): a == b
    case (.model, .model), (.undoOrRedo, .undoOrRedo): true
    default: false
    }
  }
}
