/// An existing folder of an adopted tree.
package struct TreeFolder: Hashable, Sendable {
  package var id: NodeID
  /// `nil` for the root.
  package var parent: NodeID?
  package var name: String

  package init(id: NodeID, parent: NodeID?, name: String) {
    self.id = id
    self.parent = parent
    self.name = name
  }
}
