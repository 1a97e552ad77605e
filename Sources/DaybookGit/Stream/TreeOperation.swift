/// One step from the tree before a commit to the tree after it.
///
/// Applied in order, each step finds its nodes alive. Names are as `PathText` writes them.
package enum TreeOperation: Hashable, Sendable {
  /// A folder appears. The root, which comes first of all, has no parent and the name "".
  case insertFolder(NodeID, parent: NodeID?, name: String)

  /// A file appears.
  case insertFile(NodeID, folder: NodeID, name: String, mode: GitMode, blob: GitHash)

  /// A file's mode or contents change; `nil` is what stays.
  case setFile(NodeID, mode: GitMode?, blob: GitHash?)

  /// A file has another name.
  case rename(NodeID, name: String)

  /// A file is in another folder.
  case move(NodeID, to: NodeID)

  /// A file is gone.
  case deleteFile(NodeID)

  /// A folder is gone; nothing was left in it.
  case deleteFolder(NodeID)
}
