#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

/// The position at which a command reads.
struct PastOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the store as it was: a number, head, or a time, which is that of the last commit not recorded after it.",
      valueName: "position"))
  var at: PositionText?

  @Option(help: ArgumentHelp("How long to wait for a position beyond the head.", valueName: "seconds"))
  var wait = 0.0

  func validate() throws {
    if !(0...86_400).contains(wait) { throw ValidationError("--wait takes a number of seconds from 0.") }
    if wait > 0, at == nil { throw ValidationError("--wait needs --at.") }
  }

  /// Runs `body` with a reader of an entity's objects at the position, or at the head if there is no argument: for the
  /// entity of a projection, at its checkpoint.
  ///
  /// Printing does not wait for the reader of the output while the store's transaction is live.
  func read<Result>(
    _ entity: String, in store: Store, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    try awaitPosition(in: store) { try $0.reading([entity]) { $0.position } }
    return try Console.standard.printing(from: store) { reader in
      // The head of a projection is its checkpoint.
      guard let at else { return try reader.reading([entity], body) }
      if at == .head { return try reader.reading([entity]) { try $0.recorded(body) } }
      return try reader.read(entity, at: try at.resolve(in: reader), body)
    }
  }

  /// Runs `body` with the identity of an object and a reader of it, as ``read(_:in:_:)``.
  func read<Result>(
    _ object: ObjectIDArgument, in store: Store, _ body: (ObjectID, borrowing StoreReader) throws -> Result
  ) throws -> Result {
    try awaitPosition(in: store) { try $0.reading(objectWith: object.resolve(in: $0)) { $0.position } }
    return try Console.standard.printing(from: store) { reader in
      // The head of a projection is its checkpoint.
      guard let at, at != .head else {
        let id = try object.resolve(in: reader)
        return try reader.reading(objectWith: id) { try body(id, $0) }
      }
      return try reader.read(objectWithPart: object.text, at: at.resolve(in: reader), body)
    }
  }

  /// Runs `body` with a reader of the stored objects at the position, or at the head if there is no argument.
  func readStored<Result>(_ store: Store, _ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    try awaitPosition(in: store) { $0.position }
    return try Console.standard.printing(from: store) { reader in
      guard let at, at != .head else { return try body(reader) }
      return try reader.read(at: try at.resolve(in: reader), body)
    }
  }

  /// Waits until the store has the position, or the time is over; reading then reports what is missing.
  ///
  /// - Parameter reached: Returns the position up to which a reader of the head reads what the command reads.
  private func awaitPosition(
    in store: Store, reached: (borrowing StoreReader) throws -> Position
  ) throws {
    guard wait > 0, case .number(let position)? = at else { return }
    let deadline = ContinuousClock.now + .seconds(wait)
    var isReachable = store.replication != nil
    /// What does not exist yet is waited for too.
    func isReached() throws -> Bool {
      do {
        return try store.read(reached) >= position
      } catch let error as StoreError where error.code == .notFound {
        return false
      }
    }
    while try !isReached(), ContinuousClock.now < deadline {
      // Perhaps no process of this node follows the stream.
      if isReachable { isReachable = try take(from: store) }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// Takes the commits of other nodes, and returns whether that was possible; the position may come by another process.
  private func take(from store: Store) throws -> Bool {
    do {
      try store.replication?.wait()
      return true
    } catch let error as StoreError where [.unavailable, .conflict, .readOnly].contains(error.code) {
      return false
    }
  }
}

#endif
