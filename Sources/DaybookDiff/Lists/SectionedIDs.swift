/// A request's result as ids.
///
/// The sections are in order, each with its name and the ids of its rows in order.
///
///     var shown = SectionedIDs(sections: [.init(name: "Cake", rows: [1, 2]), .init(name: "Pie", rows: [3])])
///     shown[RowPath(section: 0, row: 1)]  // 2
///     shown = try shown.applying(difference)
///
/// A sectioned result has sections only while they have rows, so an empty one has none. A result without a section key
/// always has one section with the name "", even if it is empty: ``init(unsectioned:)``.
///
/// No id occurs twice, and no two sections have the same name. Names are compared by their UTF-8 bytes. The
/// initializers do not check this; ``applying(_:)`` does.
public struct SectionedIDs<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The sections in order.
  public let sections: [ListSection<ID>]

  /// Creates a result with a section key; it has no sections if it is empty.
  public init(sections: [ListSection<ID>]) {
    self.sections = sections
  }

  /// Creates a result without a section key: one nameless section.
  public init(unsectioned ids: [ID]) {
    self.sections = [ListSection(name: "", rows: ids)]
  }

  /// The number of rows in all sections.
  ///
  /// - Complexity: O(*s*) for *s* sections.
  public var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// The id at a path, which must exist.
  public subscript(path: RowPath) -> ID { sections[path.section].rows[path.row] }

  /// Returns the id at a path, or `nil` if the list has no such path.
  func id(at path: RowPath) -> ID? {
    guard sections.indices.contains(path.section) else { return nil }
    let ids = sections[path.section].rows
    return ids.indices.contains(path.row) ? ids[path.row] : nil
  }
}

extension SectionedIDs: CustomStringConvertible {
  public var description: String { "[" + sections.map(\.description).joined(separator: ", ") + "]" }
}

/// The place of a row in a sectioned list: its section's number and its own there, from 0.
///
/// Paths are ordered by section, then by row. A path is valid only for its own list: the old one or the new one of a
/// ``Difference``.
public struct RowPath: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number of the section, from 0.
  public var section: Int
  /// The number of the row in its section, from 0.
  public var row: Int

  /// Creates the path of a row.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  public static func < (a: RowPath, b: RowPath) -> Bool {
    (a.section, a.row) < (b.section, b.row)
  }

  public var description: String { "[\(section), \(row)]" }

  @inlinable var isValid: Bool { section >= 0 && row >= 0 }
}

extension SectionedIDs {
  /// Checks that ids and section names are distinct and that no section is empty.
  ///
  /// The nameless section of a result without a section key may be empty.
  ///
  /// - Throws: ``DifferenceError`` with the code `badList` and the first fault.
  /// - Complexity: O(*n*) for *n* rows.
  package func checkInvariants() throws {
    try checkSections()
    var seen: Set<ID> = []
    seen.reserveCapacity(count)
    for id in sections.lazy.flatMap(\.rows) where !seen.insert(id).inserted {
      throw DifferenceError(.badList, "Row \(id) is in the list twice.")
    }
  }

  private func checkSections() throws(DifferenceError) {
    var seen: Set<SectionName> = []
    for section in sections where !seen.insert(SectionName(section.name)).inserted {
      throw DifferenceError(.badList, "Section \(section.name.debugDescription) is in the list twice.")
    }
    if let empty = firstEmptySection {
      throw DifferenceError(.badList, "Section \(empty.name.debugDescription) has no rows.")
    }
  }

  /// The first section without rows, except a nameless section that is alone and may be empty.
  var firstEmptySection: ListSection<ID>? {
    if sections.count == 1, sections[0].name.isEmpty { return nil }
    return sections.first { $0.rows.isEmpty }
  }
}

/// A section's name as a key: equal if the UTF-8 bytes are equal.
///
/// Swift's `==` treats canonically equivalent strings as equal, so with plain strings "é" in one and in two code points
/// would be one section here and two in the store.
struct SectionName: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (a: SectionName, b: SectionName) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    // A byte that UTF-8 never contains ends the name, so that the hash separates it from the data after it.
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8.max)
  }
}
