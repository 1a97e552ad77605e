import DaybookDiff
import DaybookModel

/// Results of which each row is read when it is looked at: by index path, by id, or by pages.
///
/// ``LiveResults`` of a store and ``EditingResults`` of a context are read in the same way.
public protocol RowReading: AnyObject, Sendable {
  /// How many rows a page has.
  var pageSize: Int { get }

  /// The state of the store that is shown.
  var position: Position { get }

  /// Looks at what is shown.
  ///
  /// - Throws: What `body` throws; `StoreError`: `expired` if what is shown cannot be read any more; then the next
  ///   difference is a reset. `closed`.
  func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result

  /// Keeps the rows where they are while a person edits.
  func holdOrder() throws

  /// Whether the order is held.
  var isHoldingOrder: Bool { get }

  /// Lets the rows go to where they belong, and says which moved and came.
  @discardableResult func releaseOrder() throws -> ResultsChange?
}

/// What results show, while it is looked at.
public struct RowView {
  let rows: ShownRows
  /// The number of the entity of all rows.
  let entity: Int
  let reader: Reader
  let position: Position

  func object(_ id: ObjectID) throws -> StoredObject? { try reader.object(ObjectKey(entity: entity, id: id)) }
}

/// A section of results that are read row by row.
public struct ResultSection: Sendable, Hashable {
  /// The name of the section; empty where the request has no sections.
  public let name: String
  /// How many rows it has.
  public let count: Int
  /// What leads to it in an index beside the list.
  public var indexTitle: String { SectionIndex.title(of: name) }
}

extension RowReading {
  /// The number of rows.
  ///
  /// - Throws: `StoreError`: `expired`, `closed`; so do all members that read.
  public var count: Int {
    get throws { try withRows { $0.rows.count } }
  }

  /// The sections in order, with their numbers of rows.
  ///
  /// - Complexity: O(*s* log *n*) for *s* sections.
  public var sections: [ResultSection] {
    get throws { try withRows { try $0.rows.sections.map { ResultSection(name: $0.name, count: $0.count) } } }
  }

  /// The titles of an index beside the list: for each section the first character of its name in upper case, each once.
  public var sectionIndexTitles: [String] {
    get throws { SectionIndex.titles(of: try sections.map(\.name)) }
  }

  /// The first section that a title of the index leads to; nil if no section has it.
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

  /// The object at an index path.
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

  /// The id at an index path; nil if there is no such row.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(log *n*).
  public func id(at path: RowPath) throws -> ObjectID? {
    try withRows { try $0.rows.id(at: path) }
  }

  /// Where an object is in the result; nil if it is not there.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(log *n*); O(*n*) while the order is held.
  public func path(of id: ObjectID) throws -> RowPath? {
    try withRows { try $0.rows.path(of: id, in: $0.reader) }
  }

  /// Objects by their numbers from the start of the result, whatever their sections; fewer at its end.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* objects.
  public func objects(in numbers: Range<Int>) throws -> [StoredObject] {
    try withRows { shown in
      try shown.rows.ids(in: numbers).compactMap { try shown.object($0) }
    }
  }

  /// Objects of one section by their numbers there; fewer at its end, and none of a section that is not there.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*m* log *n*) for *m* objects.
  public func objects(inSection section: Int, _ rows: Range<Int>) throws -> [StoredObject] {
    try withRows { shown in try shown.rows.ids(inSection: section, rows).compactMap { try shown.object($0) } }
  }

  /// A page of ``pageSize`` objects, from 0; the last one is shorter, and pages behind it are empty.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  public func page(_ number: Int) throws -> [StoredObject] {
    try objects(in: numbers(ofPage: number))
  }

  /// The numbers of the rows of a page; none of a page that no result can have.
  func numbers(ofPage number: Int) -> Range<Int> {
    let (start, overflow) = number.multipliedReportingOverflow(by: pageSize)
    guard number >= 0, !overflow, start <= .max - pageSize else { return 0..<0 }
    return start..<(start + pageSize)
  }

  /// All of it as a value.
  ///
  /// - Throws: `StoreError`: `expired` if the way back to the shown position outgrew its limit, `closed`.
  /// - Complexity: O(*n* log *n*).
  public func fetched() throws -> FetchedResults {
    try withRows { shown in
      let sections = try shown.rows.ids.sections.map { section in
        FetchedResults.Section(
          name: section.name, objects: try section.ids.compactMap { try shown.object($0) })
      }
      return FetchedResults(position: shown.position, sections: sections)
    }
  }
}
