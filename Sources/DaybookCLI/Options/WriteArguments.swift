#if Command

import ArgumentParser
import Daybook

/// The options of commands that write one commit.
struct WriteArguments: ParsableArguments {
  @OptionGroup var commit: WriteOptions
  @OptionGroup var output: JSONOption

  /// Writes a commit to a store, and prints its position.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - isDryRun: Whether the commit is only rehearsed, and the number of objects printed: one.
  ///   - body: The changes; returns the object that they concern.
  func write(
    to store: StoreArguments, dryRun isDryRun: Bool = false, _ body: (borrowing Transaction) throws -> ObjectID
  ) throws {
    if isDryRun {
      return try rehearse(in: store) { transaction in
        _ = try body(transaction)
        return 1
      }
    }
    let (position, id) = try make(in: store, body)
    let json: JSONValue = ["position": position.json, "id": .string(id.description)]
    try output.json ? Console.standard.print(json) : Console.standard.print(position.description)
  }

  /// Writes a commit of changes to any number of objects, and prints its position.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - isDryRun: Whether the commit is only rehearsed, and the number of objects printed.
  ///   - body: The changes; returns the number of objects that they concern.
  func writeAll(to store: StoreArguments, dryRun isDryRun: Bool, _ body: (borrowing Transaction) throws -> Int) throws {
    if isDryRun { return try rehearse(in: store, body) }
    let (position, count) = try make(in: store, body)
    let json: JSONValue = ["position": position.json, "objects": .integer(Int64(count))]
    try output.json ? Console.standard.print(json) : Console.standard.print(position.description)
  }

  /// Carries out a commit without writing it, and prints the number of objects that it would concern.
  ///
  /// - Throws: The errors that the commit would throw.
  private func rehearse(in store: StoreArguments, _ body: (borrowing Transaction) throws -> Int) throws {
    let count = try store.withStore { store in
      try store.writer.write { try $0.rehearse(commit.info, body) }
    }
    try output.json
      ? Console.standard.print(["objects": .integer(Int64(count))]) : Console.standard.print("\(count)")
  }

  /// Writes a commit to a store, and prints the identity of the object that it inserts.
  func insert(into store: StoreArguments, _ body: (borrowing Transaction) throws -> ObjectID) throws {
    let (position, id) = try make(in: store, body)
    let json: JSONValue = ["position": position.json, "id": .string(id.description)]
    try output.json ? Console.standard.print(json) : Console.standard.print(id.description)
  }

  private func make<Result>(
    in store: StoreArguments, _ body: (borrowing Transaction) throws -> Result
  ) throws -> (position: Position, result: Result) {
    try store.withStore { store in
      let outcome = try store.commit(commit.info, body)
      guard let result = outcome.result else { preconditionFailure("A commit without a commit id always runs.") }
      Console.standard.noteWritten(outcome.position)
      return (outcome.position, result)
    }
  }
}

#endif
