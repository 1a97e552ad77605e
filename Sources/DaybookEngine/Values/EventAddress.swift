import DaybookModel

/// The address of an event: the position of its commit, and its number there from 1.
///
/// Number 0 is the beginning of the commit.
public struct EventAddress: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The position of the commit.
  public let position: Position
  /// The number of the event in its commit, from 1; 0 is the beginning of the commit.
  public let number: Int

  /// Creates the address of an event.
  public init(position: Position, number: Int) {
    self.position = position
    self.number = number
  }

  /// Parses a ``description`` such as `12.3`, or returns `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let position = UInt64(parts[0]), let number = Int(parts[1]), number >= 0 else { return nil }
    self.init(position: Position(position), number: number)
  }

  public static func < (a: EventAddress, b: EventAddress) -> Bool {
    (a.position, a.number) < (b.position, b.number)
  }

  /// `12.3` for the third event of commit 12.
  public var description: String { "\(position).\(number)" }
}

extension EventAddress {
  package init(reading reader: inout ByteReader) throws(MalformedBytes) {
    position = Position(try reader.fixed(UInt64.self))
    number = Int(try reader.fixed(UInt32.self))
  }

  /// Twelve bytes, which sort as the addresses do.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendFixed(position.number)
    bytes.appendFixed(UInt32(clamping: number))
    return bytes
  }
}
