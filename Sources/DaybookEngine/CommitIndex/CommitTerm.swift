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

  /// The kinds of terms, by the first byte of their keys.
  package enum Kind: UInt8, CaseIterable, Sendable {
    case model = 1
    case event = 2
    case recorded = 3
    case author = 4
    case correlation = 5
    case causedBy = 6
    case undoOrRedo = 7
    case day = 8
  }

  package var kind: Kind {
    switch self {
    case .model: .model
    case .event: .event
    case .recorded: .recorded
    case .author: .author
    case .correlation: .correlation
    case .causedBy: .causedBy
    case .undoOrRedo: .undoOrRedo
    case .day: .day
    }
  }

  /// The longest text, in encoded bytes, that a key contains; a longer one is represented by its SHA-256.
  static let maximumTextSize = 400

  /// The bytes before the block's number in the keys of the term.
  ///
  /// No term's bytes begin with another's.
  package var bytes: [UInt8] {
    var bytes = [kind.rawValue]
    switch self {
    case .model, .undoOrRedo: break
    case .event(let entity, let kind):
      bytes.appendFixed(entity.number)
      bytes.append(kind.rawValue)
    case .recorded(let type): bytes.appendFixed(type.number)
    case .author(let text), .correlation(let text): CommitTerm.append(text, to: &bytes)
    case .causedBy(let position): bytes.appendFixed(position.number)
    case .day(let day): bytes.appendFixed(UInt64(bitPattern: day) ^ (1 << 63))
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
