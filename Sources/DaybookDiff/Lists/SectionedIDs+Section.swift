extension SectionedIDs {
  /// A section of a list: its name and the ids of its rows in order.
  public struct Section: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public let ids: [ID]

    public init(name: String, ids: [ID]) {
      self.name = name
      self.ids = ids
    }

    /// Sections are equal if their names have the same bytes and their ids are equal.
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
