import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookRuntime

/// Results whose rows are read on demand: by index path, by id, or by pages.
///
/// ``LiveResults`` of a store and ``EditingResults`` of a context are read in the same way.
public protocol RowReading: AnyObject, Sendable {
  /// The number of rows of a page.
  var pageSize: Int { get }

  /// The position of the store that the results show.
  var position: Position { get }

  /// Calls `body` with the shown rows.
  ///
  /// - Throws: What `body` throws; `StoreError`: `expired` if the shown rows cannot be read, in which case the next
  ///   difference is a reset; `closed`.
  func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result

  /// Keeps the rows in their places, for example during an edit.
  func freezeOrder() throws

  /// Whether the order is frozen.
  var isOrderFrozen: Bool { get }

  /// Releases the order, and returns the moves and inserts that waited.
  @discardableResult func thawOrder() throws -> ResultsChange?
}

/// The rows that results show, during one read.
public struct RowView {
  let rows: VisibleRows
  /// The number of the entity of all rows.
  let entity: Int
  let reader: Reader
  let position: Position

  func object(_ id: ObjectID) throws -> StoredObject? { try reader.object(ObjectKey(entity: entity, id: id)) }

  /// Returns the objects with the identities, without the ones that do not exist.
  func objects(_ ids: [ObjectID]) throws -> [StoredObject] {
    var objects: [StoredObject] = []
    objects.reserveCapacity(ids.count)
    for id in ids { if let object = try object(id) { objects.append(object) } }
    return objects
  }
}

/// A section of results that are read row by row.
public struct ResultSection: Sendable, Hashable {
  /// The name of the section; empty if the request has no sections.
  public let name: String
  /// The number of rows.
  public let count: Int
  /// The title that leads to the section in an index beside the list.
  public var indexTitle: String { SectionIndex.title(of: name) }
}

extension RowReading {
  /// The number of rows.
  ///
  /// - Throws: `StoreError`: `expired`, `closed`, like all members that read.
  public var count: Int {
    get throws { try withRows { $0.rows.count } }
  }

  /// The sections in order, with their numbers of rows.
  ///
  /// - Complexity: O(*s* log *n*) for *s* sections.
  public var sections: [ResultSection] {
    get throws { try withRows { try $0.rows.sections.map { ResultSection(name: $0.name, count: $0.count) } } }
  }

  /// The titles of an index beside the list.
  ///
  /// They are the first characters of the sections' names in upper case, each once.
  public var sectionIndexTitles: [String] {
    get throws { SectionIndex.titles(of: try sections.map(\.name)) }
  }

  /// Returns the first section with an index title, or `nil` if no section has the title.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  public func section(forIndexTitle title: String) throws -> Int? {
    try sections.firstIndex { $0.indexTitle == title }
  }

  /// The ids of all rows by section.
  ///
  /// - Complexity: O(*n* log *n*).
  public var ids: SectionedIDs<ObjectID> {
    get throws { try withRows { try $0.rows.ids } }
  }

  /// Returns the object at an index path.
  ///
  /// - Throws: `StoreError` with the code `notFound` for a path that is not in the result.
  /// - Complexity: O(log *n*).
  public func object(at path: RowPath) throws -> StoredObject {
    try withRows { shown in
      guard let id = try shown.rows.id(at: path), let object = try shown.object(id) else {
        throw StoreError(.notFound, "The result has no row \(path).", advice: "Look at its sections and their counts.")
      }
      return object
    }
  }

  /// Returns the id at an index path, or `nil` if there is no such row.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(log *n*).
  public func id(at path: RowPath) throws -> ObjectID? {
    try withRows { try $0.rows.id(at: path) }
  }

  /// Returns the index path of an object, or `nil` if it is not in the result.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(log *n*); O(*n*) while the order is frozen.
  public func path(of id: ObjectID) throws -> RowPath? {
    try withRows { try $0.rows.path(of: id, in: $0.reader) }
  }

  /// Returns the objects in a range of row numbers, counted from the start across sections.
  ///
  /// At the end of the result, fewer objects are returned.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* objects.
  public func objects(in numbers: Range<Int>) throws -> [StoredObject] {
    try withRows { shown in try shown.objects(shown.rows.ids(in: numbers)) }
  }

  /// Returns the objects in a range of row numbers of one section.
  ///
  /// At the end of the section, fewer objects are returned; for a section that does not exist, none.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* objects.
  public func objects(inSection section: Int, _ rows: Range<Int>) throws -> [StoredObject] {
    try withRows { shown in try shown.objects(shown.rows.ids(inSection: section, rows)) }
  }

  /// Returns a page of ``pageSize`` objects.
  ///
  /// Pages are numbered from 0. The last page is shorter, and the pages after it are empty.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  public func page(_ number: Int) throws -> [StoredObject] {
    try objects(in: numbers(ofPage: number))
  }

  /// Returns the row numbers of a page; the range is empty for a page that no result can have.
  func numbers(ofPage number: Int) -> Range<Int> {
    let (start, overflow) = number.multipliedReportingOverflow(by: pageSize)
    guard number >= 0, !overflow, start <= .max - pageSize else { return 0..<0 }
    return start..<(start + pageSize)
  }

  /// Returns the whole result as a value.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*n* log *n*).
  public func fetched() throws -> FetchedResults {
    try withRows { shown in
      let sections = try shown.rows.ids.sections.map { section in
        FetchedResults.Section(name: section.name, objects: try shown.objects(section.ids))
      }
      return FetchedResults(position: shown.position, sections: sections)
    }
  }
}
