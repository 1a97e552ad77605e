/// A request's result as ids: sections in order, each with its name and the ids of its rows in order.
///
///     var shown = SectionedIDs(sections: [.init(name: "Cake", ids: [1, 2]), .init(name: "Pie", ids: [3])])
///     shown[RowPath(section: 0, row: 1)]  // 2
///     shown = try shown.applying(difference)
///
/// A sectioned result has sections only while they have rows, so an empty one has none. A result without a section key
/// has one section with the name "", always, even if it is empty: ``init(unsectioned:)``.
///
/// No id is in a list twice, and no two sections have the same name. Names are compared by their UTF-8 bytes. The
/// initializers trust their caller in this; ``checkInvariants()`` does not.
public struct SectionedIDs<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The sections in order.
  public let sections: [Section]

  /// A result with a section key; without sections if it is empty.
  public init(sections: [Section]) {
    self.sections = sections
  }

  /// A result without a section key: one nameless section.
  public init(unsectioned ids: [ID]) {
    self.sections = [Section(name: "", ids: ids)]
  }

  /// How many rows all sections have together.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public var count: Int { sections.reduce(0) { $0 + $1.ids.count } }

  /// The id at a path, which must exist.
  public subscript(path: RowPath) -> ID { sections[path.section].ids[path.row] }

  /// The id at a path, or nil if the list has no such path.
  func id(at path: RowPath) -> ID? {
    guard sections.indices.contains(path.section) else { return nil }
    let ids = sections[path.section].ids
    return ids.indices.contains(path.row) ? ids[path.row] : nil
  }
}

extension SectionedIDs: CustomStringConvertible {
  public var description: String { "[" + sections.map(\.description).joined(separator: ", ") + "]" }
}
