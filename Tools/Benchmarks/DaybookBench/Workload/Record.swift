import Foundation

/// One Todo-like thing.
struct Record: Sendable {
  /// Rises with the order of writing, as a UUIDv7 does.
  let id: UUID

  /// 24 ASCII characters.
  let name: String

  /// Microseconds since 1970.
  let timestamp: Int64

  let categoryID: UUID
  let isDone: Bool
}

extension Record {
  /// What the record adds to a digest, the same for every contestant.
  var digest: UInt64 { UInt64(bitPattern: timestamp) &+ (isDone ? 1 : 0) }
}
