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

/// The identity of a folder or a file in a tree editor.
///
/// The numbers are the caller's keys to its own objects: they are not reused, and the editor assigns numbers after the
/// largest that it was passed.
package struct NodeID: Hashable, Sendable, Comparable {
  package let rawValue: Int

  package init(_ rawValue: Int) {
    self.rawValue = rawValue
  }

  package static func < (first: NodeID, second: NodeID) -> Bool {
    first.rawValue < second.rawValue
  }
}

extension NodeID: CustomStringConvertible {
  package var description: String { "#\(rawValue)" }
}

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
