import Daybook
import DaybookTestSupport
import DifferenceCases

/// A store that has performed a case of the file of cases.
struct CaseStore {
  let feedCase: FeedCase
  let request: Request<StoredObject>
  private let ids: [String: ObjectID]
  private let names: [ObjectID: String]

  /// - Parameter copies: A projection that copies the rows, for a request for the copies; `nil` for the rows themselves.
  init(_ feedCase: FeedCase, copiedBy copies: CaseCopies? = nil) throws {
    self.feedCase = feedCase
    // Rows that tie are in the order of their ids, so the ids are assigned in the order of the names.
    var all = Set(feedCase.before.rows.keys)
    for operation in feedCase.operations { all.insert(operation.id) }
    let ids = all.sorted().enumerated().map { ($1, ObjectID(high: 1, low: UInt64($0))) }
    self.ids = Dictionary(uniqueKeysWithValues: ids)
    names = Dictionary(uniqueKeysWithValues: try ids.map { (try copies?.id(of: $1) ?? $1, $0) })
    request = Request<StoredObject>(feedCase.request, entity: copies == nil ? "Row" : "Copy", by: copies?.path ?? [])
  }

  /// The model, in which the key has the type of the case's keys.
  var model: Model {
    Model(entities: [
      Entity(
        name: "Row",
        attributes: [
          Attribute(name: "section", type: .string),
          Attribute(name: "key", type: feedCase.hasTextKeys ? .string : .double),
          Attribute(name: "payload", type: .string), Attribute(name: "match", type: .boolean),
        ])
    ])
  }

  /// Writes the initial rows in one commit and the operations in another.
  ///
  /// - Returns: The positions before and after the operations.
  func fill(_ store: Store) throws -> (from: Position, to: Position) {
    let from = try begin(store)
    return (from, try perform(store))
  }

  /// Writes the initial rows in one commit.
  ///
  /// - Returns: The position after it.
  func begin(_ store: Store) throws -> Position {
    try store.write { tx in
      for (name, row) in feedCase.before.rows { try tx.insert("Row", row.values, id: ids[name]!) }
    }
    return try store.position
  }

  /// Performs the operations in one commit.
  ///
  /// - Returns: The position after it.
  func perform(_ store: Store) throws -> Position {
    try store.write { tx in
      for operation in feedCase.operations {
        switch operation {
        case .insert(let name, let row): try tx.insert("Row", row.values, id: ids[name]!)
        case .update(let name, let row): try tx.set(ids[name]!, row.values)
        case .delete(let name): try tx.delete(ids[name]!)
        }
      }
    }
    return try store.position
  }

  /// Returns a difference with the case's names of rows.
  func named(_ difference: Difference<ObjectID>) -> Difference<String> {
    let rows = difference.rows.map { change -> RowChange<String> in
      switch change {
      case .delete(let id, let from): .delete(names[id]!, from: from)
      case .insert(let id, let to): .insert(names[id]!, to: to)
      case .move(let id, let from, let to): .move(names[id]!, from: from, to: to)
      case .update(let id, let from, let to): .update(names[id]!, from: from, to: to)
      }
    }
    return Difference(sections: difference.sections, rows: rows)
  }

  /// Returns a result with the case's names of rows.
  func named(_ results: Results<StoredObject>) -> [Situation<String>.Section] {
    results.sections.map { .init(name: $0.name, ids: $0.rows.map { names[$0.id]! }) }
  }
}

extension FeedCase.Store.Row {
  fileprivate var values: [String: Value] {
    let key: Value =
      switch self.key {
      case .number(let number): .double(number)
      case .text(let text): .string(text)
      }
    return ["section": .string(section), "key": key, "payload": .string(payload), "match": .boolean(matches)]
  }
}

extension Request<StoredObject> {
  /// - Parameter path: The path to the object that has the values.
  fileprivate init(_ request: FeedCase.Store.Request, entity: String, by path: [String]) {
    self.init(
      entity: entity, filter: Filter(.path((path + ["match"]).joined(separator: ".")), .equal, .value(.boolean(true))),
      sort: [SortTerm(path: path + ["key"], SortDirection(isDescending: request.keysFall))], limit: request.limit,
      offset: request.offset)
    let sectionPath = path + ["section"]
    switch request.sections {
    case .none: section = nil
    case .rising: section = SectionKey(path: sectionPath)
    case .falling: section = SectionKey(path: sectionPath, direction: .descending)
    case .explicit(let names): section = SectionKey(path: sectionPath, order: names)
    }
  }
}
