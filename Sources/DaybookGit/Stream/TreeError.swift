/// The reason why file commands do not fit the tree, or a tree cannot be adopted.
package struct TreeError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A rename or copy of a missing path.
    case missingSource
    /// A command that would make a file of the root.
    case rootIsNoFile
    /// A path of more than `TreeEditor.maximumDepth` names.
    case tooDeep
    /// Folders and files that do not form a tree.
    ///
    /// There is no root, or two; a missing parent; two siblings of one name; a name that no path can have; or one
    /// number for two nodes.
    case notATree
  }

  package let kind: Kind

  /// The fault, with the faulty path or name, and the remedy.
  package let message: String
}

extension TreeError: CustomStringConvertible {
  package var description: String { message }
}
