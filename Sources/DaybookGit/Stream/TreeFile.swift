/// An existing file of an adopted tree.
package struct TreeFile: Hashable, Sendable {
  package var id: NodeID
  package var folder: NodeID
  package var name: String
  package var mode: GitMode
  package var blob: GitHash

  package init(id: NodeID, folder: NodeID, name: String, mode: GitMode, blob: GitHash) {
    self.id = id
    self.folder = folder
    self.name = name
    self.mode = mode
    self.blob = blob
  }
}
