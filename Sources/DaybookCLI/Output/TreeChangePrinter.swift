#if Command

import Daybook
import DaybookTools

/// Prints the differences of a tree, for users or for programs.
struct TreeChangePrinter {
  private let console: Console
  private let store: Store
  private let isJSON: Bool

  /// - Parameter isJSON: Whether each difference is a line of JSON.
  init(_ console: Console, _ store: Store, json isJSON: Bool) {
    (self.console, self.store, self.isJSON) = (console, store, isJSON)
  }

  /// Prints the state at which differences begin.
  ///
  /// - Parameter listsNodes: Whether the JSON has all nodes.
  func printState(_ tree: Forest<ObjectID>, at position: Position, listsNodes: Bool) throws {
    let count = tree.count
    if isJSON {
      let nodes = listsNodes ? #", "tree": \#(tree.json)"# : ""
      try console.write(#"{"position": \#(position.json.text), "count": \#(count)\#(nodes)}"# + "\n")
    } else {
      try console.print("\(count) \(count == 1 ? "node" : "nodes") at position \(position)")
    }
    try console.flush()
  }

  func print(_ change: TreeChange) throws {
    try console.printing(from: store) { reader in
      guard change.to > .empty else { return try print(change, reader) }
      try reader.read(at: change.to) { try print(change, $0) }
    }
    try console.flush()
  }

  private func print(_ change: TreeChange, _ reader: borrowing StoreReader) throws {
    if isJSON { return try console.print(change.json(by: reader.resolvedModel)) }
    try console.print("position \(change.from) to \(change.to)")
    if change.isReset { return try console.print("  \(ChangePrinter.resetText)") }
    if change.isEmpty { return try console.print("  no difference") }
    var labels = ObjectLabels(reader.resolvedModel)
    for node in change.difference.nodes {
      let label = PrintableText.line(try labels.label(of: node.id, reader))
      try console.print("  \(node.sign) \(node.word) \(node.places)  \(label)\(node.extent)")
    }
  }
}

private extension NodeChange<ObjectID> {
  /// How many nodes come with an inserted one.
  var extent: String {
    guard case .insert(_, let below, _) = self, !below.roots.isEmpty else { return "" }
    return ", with \(below.count) below it"
  }
}

#endif
