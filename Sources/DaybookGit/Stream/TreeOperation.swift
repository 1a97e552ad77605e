/// One step from the tree before a commit to the tree after it.
///
/// When the steps are applied in order, the nodes of each step exist. Names are encoded by `PathText`.
package enum TreeOperation: Hashable, Sendable {
  /// Inserts a folder. The root, which comes first of all, has no parent and the name "".
  case insertFolder(NodeID, parent: NodeID?, name: String)

  /// Inserts a file.
  case insertFile(NodeID, folder: NodeID, name: String, mode: GitMode, blob: GitHash)

  /// Changes a file's mode or contents; `nil` means no change.
  case setFile(NodeID, mode: GitMode?, blob: GitHash?)

  /// Renames a file.
  case rename(NodeID, name: String)

  /// Moves a file to another folder.
  case move(NodeID, to: NodeID)

  /// Deletes a file.
  case deleteFile(NodeID)

  /// Deletes an empty folder.
  case deleteFolder(NodeID)
}
