import ArgumentParser
import Daybook

/// The options of commands that write one commit.
struct WriteArguments: ParsableArguments {
  @OptionGroup var commit: WriteOptions
  @OptionGroup var output: JSONOption

  /// Writes a commit to a store, and prints its position.
  ///
  /// - Parameter body: The changes; returns the object that they concern.
  func write(to store: StoreArguments, _ body: (borrowing Transaction) throws -> ObjectID) throws {
    let (position, id) = try make(in: store, body)
    let json: JSONValue = ["position": position.json, "id": .string(id.description)]
    try output.json ? Console.standard.print(json) : Console.standard.print(position.description)
  }

  /// Writes a commit to a store, and prints the identity of the object that it inserts.
  func insert(into store: StoreArguments, _ body: (borrowing Transaction) throws -> ObjectID) throws {
    let (position, id) = try make(in: store, body)
    let json: JSONValue = ["position": position.json, "id": .string(id.description)]
    try output.json ? Console.standard.print(json) : Console.standard.print(id.description)
  }

  private func make(
    in store: StoreArguments, _ body: (borrowing Transaction) throws -> ObjectID
  ) throws -> (position: Position, id: ObjectID) {
    try store.withStore { store in
      let (position, id) = try store.commit(commit.info, body)
      guard let id else { preconditionFailure("A commit without a commit id always runs.") }
      return (position, id)
    }
  }
}
