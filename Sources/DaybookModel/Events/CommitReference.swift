/// The name of a commit: its position, or the id that its writer gave it.
///
///     try store.write(CommitInfo(author: "billing", causedBy: .position(order))) { tx in try tx.insert("Invoice") }
public enum CommitReference: Hashable, Sendable {
  /// The commit at a position.
  case position(Position)
  /// The commit with an id, which its writer gave it.
  case commitID(ObjectID)
}

extension CommitReference: ExpressibleByIntegerLiteral, CustomStringConvertible {
  public init(integerLiteral value: UInt64) { self = .position(Position(value)) }

  /// The position as a number, or the id as a UUID.
  public var description: String {
    switch self {
    case .position(let position): "\(position)"
    case .commitID(let id): "\(id)"
    }
  }
}

extension CommitReference {
  /// The position as a number, or the id as a string.
  package var json: JSONValue {
    switch self {
    case .position(let position): position.json
    case .commitID(let id): .string("\(id)")
    }
  }

  /// Reads a position, from 1 up, or a UUID; returns `nil` for any other value.
  package init?(json: JSONValue) {
    if let number = json.integerValue, number > 0 {
      self = .position(Position(UInt64(number)))
    } else if let id = json.stringValue.flatMap({ ObjectID($0) }) {
      self = .commitID(id)
    } else {
      return nil
    }
  }
}
