/// A folder or a file of a tree editor, for as long as it lives.
///
/// The numbers are the caller's key to its own objects: they are not reused, and those that an editor gives out follow
/// the largest that it was given.
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
