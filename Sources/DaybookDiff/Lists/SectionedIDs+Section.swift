extension SectionedIDs {
  /// A section of a list: its name and the ids of its rows in order.
  public struct Section: Hashable, Sendable, CustomStringConvertible {
    /// The name of the section; empty for a result without sections.
    public let name: String
    /// Its rows in their order.
    public let ids: [ID]

    /// Creates a section with these rows.
    public init(name: String, ids: [ID]) {
      self.name = name
      self.ids = ids
    }

    /// Returns whether the names have the same bytes and the ids are equal.
    public static func == (a: Section, b: Section) -> Bool {
      SectionName(a.name) == SectionName(b.name) && a.ids == b.ids
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(SectionName(name))
      hasher.combine(ids)
    }

    public var description: String { "\(name.debugDescription): \(ids)" }
  }
}
