/// Why file commands do not fit the tree they are for, or a tree cannot be taken over.
package struct TreeError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A rename or copy of something that is not there.
    case missingSource
    /// A command that would make a file of the root.
    case rootIsNoFile
    /// A path of more than `TreeEditor.maximumDepth` names.
    case tooDeep
    /// Folders and files that are no tree: no root, or two; a parent that is not there; two siblings of one name; a
    /// name that no path can hold; one number for two nodes.
    case notATree
  }

  package let kind: Kind

  /// What is wrong, with the path or name at fault, and what to do.
  package let message: String
}

extension TreeError: CustomStringConvertible {
  package var description: String { message }
}
