#if Import

import Daybook
import DaybookModel

/// One import of a file of rows into a store.
///
///     var job = TableJob(.csv, into: "people.daybook", entity: "Person") { types in
///       try CSVTable(path: "people.csv", types: types).rows(of: "Person")
///     }
///     job.options.key = ["email"]
///     let report = try job.run()
///
/// A store that does not exist is created whole or not at all. In an existing one an entity that it lacks is added to the
/// model; of one that it has, the declared types count. With a key each row changes the object with its values, or inserts
/// one, so a second import of the same file writes nothing; without one each row is inserted, into an entity without objects.
package struct TableJob {
  /// The kind of the file.
  package enum Kind: String, Sendable {
    case csv
    case json
  }

  /// The choices of the import.
  package var options = TableOptions()
  /// The options of the store.
  package var storeOptions = StoreOptions()
  /// Called with the progress of the work.
  package var progress: ((StoreProgress) -> Void)?
  private let kind: Kind
  private let place: Place
  private let entity: String
  private let open: (_ types: [String: AttributeType]) throws -> any TableFile

  /// The store of an import.
  private enum Place {
    case path(String)
    case store(Store)
  }

  /// Creates an import into the store in a directory.
  ///
  /// - Parameters:
  ///   - path: The store's directory, which need not exist.
  ///   - entity: The entity of the rows.
  ///   - open: Reads the file once, with the types of columns by the names of their attributes.
  package init(
    _ kind: Kind, into path: String, entity: String,
    open: @escaping (_ types: [String: AttributeType]) throws -> any TableFile
  ) {
    (self.kind, place, self.entity, self.open) = (kind, .path(path), entity, open)
  }

  /// Creates an import into an open store, whose options count.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rows.
  ///   - open: Reads the file once, with the types of columns by the names of their attributes.
  package init(
    _ kind: Kind, into store: Store, entity: String,
    open: @escaping (_ types: [String: AttributeType]) throws -> any TableFile
  ) {
    (self.kind, place, self.entity, self.open) = (kind, .store(store), entity, open)
  }

  /// Imports all rows.
  ///
  /// - Throws: ``ImportError`` for a file, options and rows that are not suitable; `StoreError`. Nothing is left behind
  ///   then; of an import in batches into an existing store the finished commits stay.
  package func run() throws -> ImportReport {
    var storeOptions = storeOptions
    // An import's commits are larger than an application's, and so is the time for their rules.
    storeOptions.writeEvaluationTimeLimit = nil
    switch place {
    case .store(let store): return try importMore(into: store)
    case .path(let path):
      guard try StoreDirectory(path).exists else { return try importNew(at: path, storeOptions) }
      let store = try Store(at: path, options: storeOptions)
      defer { store.close() }
      do {
        return try importMore(into: store)
      } catch let error as StoreError where error.code == .tooLarge && options.batchSize == nil {
        throw ImportError(
          .usage,
          "The rows are more than one commit of an existing store can have (\(error.message)). Import into a new store, "
            + "or allow several commits with --batch 50000, of which the finished ones stay after an error.")
      }
    }
  }

  /// The number of rows of one commit of a new store, whose changes are in memory.
  private static let rowsOfOneCommit = 50_000

  private func importNew(at path: String, _ storeOptions: StoreOptions) throws -> ImportReport {
    let file = try open([:])
    let plan = try TablePlan(file, options, nil)
    var report = report(of: plan, file)
    let info = info(of: file)
    do {
      try Store.build(at: path, model: plan.model, options: storeOptions, info: info) { store in
        let writer = try writer(file, plan, .store(store), info)
        try writer.writeInParts(of: options.batchSize ?? TableJob.rowsOfOneCommit)
        finish(&report, writer, isMerged: false)
        report.commitCount += 1
        if options.isDryRun { throw EndOfRehearsal() }
      }
    } catch is EndOfRehearsal {
      (report.head, report.commitCount) = (nil, 0)
    }
    return report
  }

  private func importMore(into store: Store) throws -> ImportReport {
    let model = try store.read { $0.model }
    let file = try open(types(in: model))
    let plan = try TablePlan(file, options, model)
    var report = report(of: plan, file)
    let info = info(of: file)
    if let size = options.batchSize, !options.isDryRun {
      let writer = try writer(file, plan, .store(store), info)
      try writer.commits.apply(plan.model, checking: .newValues, to: store)
      try writer.writeInParts(of: size)
      finish(&report, writer)
      return report
    }
    do {
      try store.writer.write { session in
        // The closure may run again.
        report = self.report(of: plan, file)
        let writer = try writer(file, plan, .session(session), info)
        try writer.commits.apply(plan.model, checking: .newValues, to: store)
        try writer.writeAtOnce()
        finish(&report, writer)
        if options.isDryRun { throw EndOfRehearsal() }
      }
    } catch is EndOfRehearsal {
      (report.head, report.commitCount) = (nil, 0)
    }
    return report
  }

  /// Returns the types of columns that the store decides: its attributes, and the attributes that links lead by.
  private func types(in model: Model) -> [String: AttributeType] {
    var types: [String: AttributeType] = [:]
    for attribute in model.attributes(of: entity) { types[attribute.name] = attribute.type }
    for link in options.links {
      types[link.column] = model.attributes(of: link.target).first { $0.name == link.attribute }?.type
    }
    return types
  }

  private func writer(
    _ file: any TableFile, _ plan: TablePlan, _ place: ImportCommits.Place, _ info: CommitInfo
  ) throws -> TableWriter {
    let (progress, total) = (progress, UInt64(plan.entity.rowCount))
    return TableWriter(file, plan, options, try ImportCommits(place, info)) { count in
      progress?(StoreProgress(activity: "Importing", completed: UInt64(count), total: total, unit: "rows"))
    }
  }

  private func info(of file: any TableFile) -> CommitInfo {
    let name = file.name.split(separator: "/").last.map(String.init) ?? file.name
    return CommitInfo(
      author: options.author, message: options.message,
      metadata: ["import": .string(kind.rawValue), "source": .string(name)],
      correlation: "import \(StoreOptions().makeID())")
  }

  private func report(of plan: TablePlan, _ file: any TableFile) -> ImportReport {
    var report = ImportReport()
    if kind == .csv, let note = TableJob.delimiterNote(plan.entity.columns) { report.notes.append(note) }
    for table in plan.entity.all {
      var entity = EntityReport(name: table.name, newName: table.name)
      entity.objectCount = table.rowCount
      for (number, column) in table.columns.enumerated() {
        if table == plan.entity, case .link(let link) = plan.routes[number] {
          var field = FieldReport(column.name, as: column.attribute)
          field.note = "leads to the \(link.target) with this \(link.attribute)"
          entity.relationships.append(field)
        } else {
          var field = FieldReport(column.name, as: column.attribute, type: column.type.rawValue)
          field.note = column.note
          entity.attributes.append(field)
        }
      }
      for child in table.children { entity.relationships.append(FieldReport(child.name, as: child.relationship)) }
      report.entities.append(entity)
    }
    return report
  }

  /// Returns a remark about a header that is one column and seems to be several.
  private static func delimiterNote(_ columns: [TableColumn]) -> String? {
    guard columns.count == 1, let other = [";", "\t", "|"].first(where: { columns[0].name.contains($0) }) else {
      return nil
    }
    let option = other == "\t" ? "tab" : "'\(other)'"
    return
      "The header is one column, “\(columns[0].name)”. If cells end with another character, give --delimiter \(option)."
  }

  /// - Parameter isMerged: Whether the store was there before.
  private func finish(_ report: inout ImportReport, _ writer: TableWriter, isMerged: Bool = true) {
    var links = zip(writer.plan.routes, writer.linkCounts).compactMap { route, count -> Int? in
      if case .link = route { count } else { nil }
    }
    for number in report.entities[0].relationships.indices where !links.isEmpty {
      report.entities[0].relationships[number].linkCount = links.removeFirst()
    }
    if isMerged { report.entities[0].changes = writer.changes }
    let repeats = writer.repeats
    if repeats.count > 0 {
      let place = repeats.first.map { ", the first of them in line \($0.line)" } ?? ""
      report.notes.append(
        "\(repeats.count) \(repeats.count == 1 ? "row has" : "rows have") the key of an earlier row\(place); the values "
          + "of the last such row are stored.")
    }
    (report.head, report.commitCount) = (writer.commits.head, writer.commits.count)
  }
}

#endif
