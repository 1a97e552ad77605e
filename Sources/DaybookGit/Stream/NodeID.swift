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
