/// A request's result as ids.
///
/// The sections are in order, each with its name and the ids of its rows in order.
///
///     var shown = SectionedIDs(sections: [.init(name: "Cake", ids: [1, 2]), .init(name: "Pie", ids: [3])])
///     shown[RowPath(section: 0, row: 1)]  // 2
///     shown = try shown.applying(difference)
///
/// A sectioned result has sections only while they have rows, so an empty one has none. A result without a section key
/// always has one section with the name "", even if it is empty: ``init(unsectioned:)``.
///
/// No id occurs twice, and no two sections have the same name. Names are compared by their UTF-8 bytes. The
/// initializers do not check this; ``checkInvariants()`` does.
public struct SectionedIDs<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The sections in order.
  public let sections: [Section]

  /// Creates a result with a section key; it has no sections if it is empty.
  public init(sections: [Section]) {
    self.sections = sections
  }

  /// Creates a result without a section key: one nameless section.
  public init(unsectioned ids: [ID]) {
    self.sections = [Section(name: "", ids: ids)]
  }

  /// The number of rows in all sections.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public var count: Int { sections.reduce(0) { $0 + $1.ids.count } }

  /// The id at a path, which must exist.
  public subscript(path: RowPath) -> ID { sections[path.section].ids[path.row] }

  /// Returns the id at a path, or `nil` if the list has no such path.
  func id(at path: RowPath) -> ID? {
    guard sections.indices.contains(path.section) else { return nil }
    let ids = sections[path.section].ids
    return ids.indices.contains(path.row) ? ids[path.row] : nil
  }
}

extension SectionedIDs: CustomStringConvertible {
  public var description: String { "[" + sections.map(\.description).joined(separator: ", ") + "]" }
}
