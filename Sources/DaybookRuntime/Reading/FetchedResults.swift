import DaybookDiff
import DaybookEngine
import DaybookModel

/// The result of a request at a position: sections of objects.
///
/// It is a value that does not change when the store does.
///
///     let results = try store.fetch(request)
///     results[RowPath(section: 0, row: 2)]["name"]
///     results.path(of: cake)
///
/// It holds all objects; for results of any size, which are read in pages on demand, see ``LiveResults``.
public struct FetchedResults: Sendable, Hashable {
  /// The position at which the result was read.
  public let position: Position
  /// The sections in order.
  ///
  /// A request without a section key has one section, whose name is empty, even without any objects.
  public let sections: [Section]

  package init(position: Position, sections: [Section]) {
    (self.position, self.sections) = (position, sections)
  }

  /// A section of a result.
  public struct Section: Sendable, Hashable {
    /// The name of the section; empty if the request has no sections.
    public let name: String
    /// The objects in their order.
    public let objects: [StoredObject]

    package init(name: String, objects: [StoredObject]) {
      (self.name, self.objects) = (name, objects)
    }
  }

  /// All objects, section by section.
  public var objects: [StoredObject] { sections.count == 1 ? sections[0].objects : sections.flatMap(\.objects) }

  /// The number of objects.
  public var count: Int { sections.reduce(0) { $0 + $1.objects.count } }

  /// The object at an index path, which must be in the result.
  public subscript(path: RowPath) -> StoredObject { sections[path.section].objects[path.row] }

  /// Returns the index path of an object, or `nil` if it is not in the result.
  ///
  /// - Complexity: O(*n*).
  public func path(of id: ObjectID) -> RowPath? {
    for (section, rows) in sections.enumerated() {
      if let row = rows.objects.firstIndex(where: { $0.id == id }) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  /// The ids by section, to which differences are applied.
  public var ids: SectionedIDs<ObjectID> {
    SectionedIDs(sections: sections.map { SectionedIDs.Section(name: $0.name, ids: $0.objects.map(\.id)) })
  }

  /// The titles of an index beside a list.
  ///
  /// They are the first characters of the sections' names in upper case, each once.
  public var sectionIndexTitles: [String] { SectionIndex.titles(of: sections.map(\.name)) }
}

/// The index beside a long list: short titles, each of which leads to a section.
package enum SectionIndex {
  /// Returns a section's title: the first character of its name in upper case, or nothing.
  package static func title(of name: String) -> String {
    name.first.map { $0.uppercased() } ?? ""
  }

  /// Returns the titles of sections in their order, each title once.
  package static func titles(of names: some Sequence<String>) -> [String] {
    var seen: Set<String> = []
    return names.map(title).filter { !$0.isEmpty && seen.insert($0).inserted }
  }
}
