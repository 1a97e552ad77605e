#if Import

import Daybook
import DaybookModel

/// Writes the rows of a file as objects.
final class TableWriter {
  private let file: any TableFile
  let plan: TablePlan
  private let options: TableOptions
  let commits: ImportCommits
  private let progress: (Int) -> Void
  /// The links to objects of the entity itself that later rows may be.
  private var waiting: [WaitingLink] = []
  /// The objects of the commit in progress with the places of their rows, for errors at its end.
  private var written: [(id: ObjectID, place: TextPlace?)] = []
  /// The objects that rows with a key have named, in former commits and in the one in progress.
  private var named: (before: Set<ObjectID>, now: Set<ObjectID>) = ([], [])
  /// The number of rows with the key of an earlier row, and the place of the first one.
  private(set) var repeats: (count: Int, first: TextPlace?) = (0, nil)
  private var rowCount = 0
  /// The values of the present row that lead to objects of the entity itself that do not exist yet.
  private var waitingValues: [(column: Int, value: Value)] = []
  private(set) var linkCounts: [Int]
  /// What became of the rows.
  private(set) var changes = ObjectChanges()

  /// A link whose target was not found when its row was written.
  private struct WaitingLink {
    let id: ObjectID
    let column: Int
    let value: Value
    let place: TextPlace?
  }

  init(
    _ file: any TableFile, _ plan: TablePlan, _ options: TableOptions, _ commits: ImportCommits,
    progress: @escaping (Int) -> Void
  ) {
    (self.file, self.plan, self.options, self.commits, self.progress) = (file, plan, options, commits, progress)
    linkCounts = plan.routes.map { _ in 0 }
  }

  /// Writes all rows in one commit.
  ///
  /// - Throws: ``ImportError`` with the place of the row that cannot be written; nothing of the commit is written then.
  func writeAtOnce() throws {
    try commit { tx in
      try checkIsEmpty(in: tx)
      try file.forEachRow { row in try write(row, in: tx) }
      try linkWaiting(in: tx)
    }
  }

  /// Writes the rows in commits of a number of rows.
  ///
  /// - Throws: As ``writeAtOnce()``; the commits before stay.
  func writeInParts(of size: Int) throws {
    try commit { tx in try checkIsEmpty(in: tx) }
    var rows: [TableObject] = []
    func flush() throws {
      let part = rows
      rows.removeAll(keepingCapacity: true)
      try commit { tx in
        for row in part { try write(row, in: tx) }
      }
    }
    try file.forEachRow { row in
      rows.append(row)
      if rows.count >= size { try flush() }
    }
    try flush()
    try commit { tx in try linkWaiting(in: tx) }
  }

  /// - Throws: ``ImportError`` without a key, if there are objects already.
  private func checkIsEmpty(in tx: borrowing Transaction) throws {
    guard plan.key.isEmpty else { return }
    let count = try tx.count(Request<StoredObject>(entity: plan.entity.name).exactly())
    guard count > 0 else { return }
    throw ImportError(
      .usage,
      "\(plan.entity.name) has \(count) objects already, and each row would become another one; name the columns that "
        + "identify a row with --key, or import into another entity with --entity")
  }

  private func commit(_ body: (borrowing Transaction) throws -> Void) throws {
    let before = (linkCounts, changes, waiting, rowCount, repeats)
    do {
      try commits.make { tx in
        // A store can run the closure again.
        linkCounts = before.0
        changes = before.1
        waiting = before.2
        rowCount = before.3
        repeats = before.4
        named.now.removeAll()
        written.removeAll(keepingCapacity: true)
        try body(tx)
      }
      named.before.formUnion(named.now)
    } catch let error as StoreError where error.code == .constraint {
      guard let object = error.failure?.object, let place = written.last(where: { $0.id == object })?.place else {
        throw error
      }
      throw TableWriter.error(error, in: file, at: place)
    }
  }

  private static func error(_ error: StoreError, in file: any TableFile, at place: TextPlace?) -> any Error {
    // A limit of the commit is not the row's fault.
    if error.code == .tooLarge { return error }
    let message = error.message.hasSuffix(".") ? String(error.message.dropLast()) : error.message
    let advice = error.advice.map { $0.prefix(1).lowercased() + $0.dropFirst() }
    return ImportError(.data, message, file: file.name, at: place, advice: advice)
  }

  private func write(_ row: TableObject, in tx: borrowing Transaction) throws {
    rowCount += 1
    if rowCount % 1_000 == 0 { progress(rowCount) }
    do {
      let (values, links) = try parts(of: row, in: tx)
      let name = plan.entity.name
      let id: ObjectID
      if plan.key.isEmpty {
        id = try tx.insert(name, Dictionary(uniqueKeysWithValues: values.map { ($0.key, $0.value) }))
        for link in links { for target in link.targets { try tx.relate(id, link.relationship, to: target) } }
        changes.inserted += 1
      } else {
        let eventCount = tx.builder.writer.count
        let isNew: Bool
        (id, isNew) = try tx.builder.upsert(name, key: plan.key, values, links: links)
        if isNew {
          changes.inserted += 1
        } else if tx.builder.writer.count > eventCount {
          changes.changed += 1
        }
        if named.before.contains(id) || !named.now.insert(id).inserted {
          if repeats.count == 0 { repeats.first = row.places.first }
          repeats.count += 1
        }
      }
      written.append((id, row.places.first))
      try wait(for: row, id)
      try insertChildren(of: row, plan.entity, of: id, in: tx)
    } catch let error as StoreError {
      throw TableWriter.error(error, in: file, at: row.places.first)
    }
  }

  /// Returns the values of a row and the targets of its links.
  private func parts(
    of row: TableObject, in tx: borrowing Transaction
  ) throws -> (values: [(key: String, value: Value)], links: [(relationship: String, targets: [ObjectID])]) {
    var values: [(key: String, value: Value)] = []
    var links: [(relationship: String, targets: [ObjectID])] = []
    waitingValues.removeAll(keepingCapacity: true)
    for (number, column) in plan.entity.columns.enumerated() {
      let value = row.values[number]
      if value.isNull, plan.key.contains(column.attribute) {
        throw ImportError(
          .data, "the column “\(column.name)” of the key has no value", file: file.name,
          at: row.place(ofColumn: number), advice: "give one, or leave the row out")
      }
      switch plan.routes[number] {
      case .attribute(let attribute):
        if let value = try stored(value, attribute, column, row.place(ofColumn: number)) {
          values.append((attribute.name, value))
        }
      case .link(let link):
        guard !value.isNull else {
          links.append((column.attribute, []))
          continue
        }
        if let target = try tx.object(of: link.target, key: [link.attribute], [(link.attribute, value)]) {
          links.append((column.attribute, [target]))
          linkCounts[number] += 1
        } else if link.target == plan.entity.name, !plan.key.contains(column.attribute) {
          waitingValues.append((number, value))
        } else {
          throw lacksTarget(link, value, column, row.place(ofColumn: number))
        }
      }
    }
    return (values, links)
  }

  /// Returns the value to store, or `nil` for the attribute's default.
  ///
  /// - Throws: ``ImportError`` for no value where one is required.
  private func stored(
    _ value: Value, _ attribute: Attribute, _ column: TableColumn, _ place: TextPlace?
  ) throws -> Value? {
    guard value.isNull, !attribute.isOptional else { return value }
    if attribute.defaultValue != nil { return nil }
    if attribute.type == .string, options.keepsEmpty { return "" }
    throw ImportError(
      .data, "the column “\(column.name)” has no value, and \(plan.entity.name).\(attribute.name) needs one",
      file: file.name, at: place,
      advice: attribute.type == .string
        ? "give one, or import empty cells as empty strings with --keep-empty" : "give one")
  }

  private func lacksTarget(_ link: TableLink, _ value: Value, _ column: TableColumn, _ place: TextPlace?) -> ImportError
  {
    ImportError(
      .data, "no \(link.target) has the \(link.attribute) “\(value)” of the column “\(column.name)”", file: file.name,
      at: place, advice: "import it first, or correct the value")
  }

  private func wait(for row: TableObject, _ id: ObjectID) throws {
    for (column, value) in waitingValues {
      waiting.append(WaitingLink(id: id, column: column, value: value, place: row.place(ofColumn: column)))
    }
  }

  /// Makes the links to objects that later rows were.
  private func linkWaiting(in tx: borrowing Transaction) throws {
    for link in waiting {
      guard case .link(let route) = plan.routes[link.column] else { continue }
      let column = plan.entity.columns[link.column]
      let target = try tx.object(of: route.target, key: [route.attribute], [(route.attribute, link.value)])
      guard let target else { throw lacksTarget(route, link.value, column, link.place) }
      if try tx.targets(of: link.id, column.attribute) != [target] {
        try tx.relate(link.id, column.attribute, to: target)
      }
      linkCounts[link.column] += 1
    }
    waiting.removeAll()
  }

  private func insertChildren(
    of row: TableObject, _ entity: TableEntity, of id: ObjectID, in tx: borrowing Transaction
  ) throws {
    for (child, objects) in zip(entity.children, row.children) {
      for object in objects {
        var values: [String: Value] = [:]
        for (column, value) in zip(child.entity.columns, object.values) where !value.isNull {
          values[column.attribute] = value
        }
        let nested = try tx.insert(child.entity.name, values)
        try tx.relate(id, child.relationship, to: nested)
        try insertChildren(of: object, child.entity, of: nested, in: tx)
      }
    }
  }
}

#endif
