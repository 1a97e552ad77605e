#if Import

import Daybook
import DaybookModel

/// One import of the files of an application into a store.
///
///     let source = try CoreDataImport(stores: ["Recipes.sqlite"], model: nil)
///     var job = ImportJob(.coreData, source.objects, into: "recipes.daybook", target: source.target)
///     let report = try job.run()
///
/// A store that does not exist is created whole or not at all. An existing one gets what the sources have changed since
/// the last import of them, in one commit; see ``ImportWriter``.
package struct ImportJob {
  /// The kind of files.
  package enum Kind: String, Sendable {
    case coreData = "coredata"
    case sqlite
  }

  /// The name of the version of the source's model, for the metadata and the report.
  package var version: String?
  /// What was found before the rows are read.
  package var notes: [SourceNote] = []
  /// The names that the file has for what the source names otherwise.
  package var fileNames = FileNames()
  /// The options of the store.
  package var storeOptions = StoreOptions()
  /// The choices of the import.
  package var options = ImportOptions()
  /// Called with the progress of the work.
  package var progress: ((StoreProgress) -> Void)?
  private let kind: Kind
  private let sources: [any ObjectSource]
  private let path: String
  private let target: SourceLookup

  /// Creates an import.
  ///
  /// - Parameters:
  ///   - sources: The files; none for the model alone.
  ///   - path: The store's directory, which need not exist.
  ///   - target: The model to create.
  package init(_ kind: Kind, _ sources: [any ObjectSource], into path: String, target: SourceLookup) {
    self.kind = kind
    self.sources = sources
    self.path = path
    self.target = target
  }

  /// Imports everything.
  ///
  /// - Throws: ``ImportError`` for sources, options and rows that are not suitable; `StoreError`. Nothing is left behind
  ///   then; of an import in batches into an existing store the finished commits stay.
  package func run() throws -> ImportReport {
    var storeOptions = storeOptions
    // The commits are larger than an application's, and so is the time for their rules.
    storeOptions.writeEvaluationTimeLimit = nil
    var report = try StoreDirectory(path).exists ? importMore(storeOptions) : importNew(storeOptions)
    fileNames.apply(to: &report)
    return report
  }

  // MARK: A new store

  private func importNew(_ storeOptions: StoreOptions) throws -> ImportReport {
    let plan = try plan(in: nil, options.translation.renames)
    var report = plan.report
    do {
      try Store.build(at: path, model: plan.firstModel, options: storeOptions, info: plan.info) { store in
        let commits = try ImportCommits(.store(store), plan.info)
        let identities = try self.identities(in: store)
        let writer = ImportWriter(plan.routes, in: plan.model, identities, commits, progress: reporter(plan))
        try write(writer, plan)
        if plan.firstModel != plan.model { try commits.apply(plan.model, checking: .newValues, to: store) }
        try finish(&report, writer, plan)
        if options.isDryRun { throw EndOfRehearsal() }
        report.head = commits.head
        // The commit of the model is the first one.
        report.commitCount = commits.count + 1
      }
    } catch is EndOfRehearsal {
      return report
    }
    return report
  }

  private func write(_ writer: ImportWriter, _ plan: ImportPlan) throws {
    if !options.creationTimes.isEmpty { return try writeByTime(writer) }
    if let size = options.batchSize { return try writer.writeInParts(ImportWriter.PartLimits(count: size)) }
    if plan.objectCount <= ImportJob.objectsOfOneCommit {
      do {
        return try writer.writeAtOnce()
      } catch let error as StoreError where error.code == .tooLarge {
        // Nothing of the commit was written.
      }
    }
    try writer.writeInParts(ImportWriter.PartLimits())
  }

  /// The number of objects up to which a new store is written in one commit, whose changes are in memory.
  private static let objectsOfOneCommit = 100_000

  private func writeByTime(_ writer: ImportWriter) throws {
    var limits = ImportWriter.PartLimits()
    if let size = options.batchSize { limits.count = size }
    try writer.writeByTime(CreationTimes(options.creationTimes, writer.routes), limits)
  }

  // MARK: An existing store

  private func importMore(_ storeOptions: StoreOptions) throws -> ImportReport {
    if !options.creationTimes.isEmpty, options.batchSize == nil {
      throw ImportError(
        .usage,
        "--created makes a commit for each time, and an existing store gets one for all; allow several with --batch 50000"
      )
    }
    let store = try Store(at: path, options: storeOptions)
    defer { store.close() }
    let source = kind == .coreData ? ImportPlan.name(of: sources) : nil
    let history = try ImportedHistory(of: kind.rawValue, source: source, in: store)
    let former = try history.renames(in: store).filter { TranslatedNames.isKnown(fileNames.place($0.key), target) }
    let plan = try plan(in: store, former.merging(options.translation.renames) { $1 })
    let identities = try self.identities(in: store)
    var report = plan.report
    let searching = ImportWriter(
      plan.routes, in: plan.model, identities, try ImportCommits(.store(store), plan.info),
      merge: MergeState(), progress: { _ in })
    var search = MergeSearch(searching)
    let state = try search.state(in: store, history)
    func writer(_ place: ImportCommits.Place) throws -> ImportWriter {
      ImportWriter(
        plan.routes, in: plan.model, identities, try ImportCommits(place, plan.info), merge: state,
        sourceWins: options.sourceWins, progress: reporter(plan))
    }
    func perform(_ writer: ImportWriter, _ write: () throws -> Void) throws {
      if state.hasDifferences {
        try writer.commits.apply(plan.firstModel, checking: .newValues, to: store)
        try write()
      } else {
        writer.tally = searching.tally
      }
      try writer.commits.apply(plan.model, checking: .newValues, to: store)
    }
    if let size = options.batchSize, !options.isDryRun {
      let writer = try writer(.store(store))
      try perform(writer) {
        if options.creationTimes.isEmpty {
          try writer.writeInParts(ImportWriter.PartLimits(count: size))
        } else {
          try writeByTime(writer)
        }
      }
      try finish(&report, writer, plan)
      (report.head, report.commitCount) = (writer.commits.head, writer.commits.count)
      return report
    }
    var last: ImportWriter?
    do {
      try store.writer.write { session in
        let writer = try writer(.session(session))
        last = writer
        try perform(writer) { try writer.writeAtOnce() }
        if options.isDryRun { throw EndOfRehearsal() }
      }
    } catch is EndOfRehearsal {
      if let last { try finish(&report, last, plan) }
      return report
    } catch let error as StoreError where error.code == .tooLarge {
      throw ImportError(
        .usage,
        "The changes are more than one commit of an existing store can have (\(error.message)). Import into a new "
          + "store, or allow several commits with --batch 50000, of which the finished ones stay after an error.")
    }
    guard let last else { return report }
    try finish(&report, last, plan)
    (report.head, report.commitCount) = (last.commits.head, last.commits.count)
    return report
  }

  // MARK: Parts

  /// Translates the model and reads all rows once.
  ///
  /// - Throws: ``ImportError`` with the list of broken rules, unless they become weaker.
  ///
  /// - Parameter renames: The names in place of the source's, by `Entity` or `Entity.field` of the file.
  private func plan(in store: Store?, _ renames: [String: String]) throws -> ImportPlan {
    let present = try store.map { store in try store.read { $0.model } }
    let origin = sources.first?.name ?? target.model.name ?? "the model"
    var translation = options.translation
    translation.renames = Dictionary(
      renames.map { (fileNames.place($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    var plan = try ImportPlan(sources, target, translation, present, origin, progress: progress)
    let broken = plan.check.violations
    if !broken.isEmpty, options.relaxes {
      translation.relaxed = Set(broken.filter { $0.kind == .required }.map(\.field))
      plan = try ImportPlan(sources, target, translation, present, origin, progress: progress)
      plan.relaxRules()
    }
    try plan.checkRules(relaxes: options.relaxes)
    plan.complete(kind, sources, version: version, notes: notes, renames: renames, options)
    try plan.addSourceNotes(sources)
    return plan
  }

  private func identities(in store: Store) throws -> [String: ObjectIdentities] {
    var all: [String: ObjectIdentities] = [:]
    for source in sources {
      var identities = ObjectIdentities(namespace: source.identity ?? store.id)
      for (entity, attribute) in options.identities.sorted(by: { $0.key < $1.key }) {
        guard source.lookup.entity(entity) != nil else {
          throw ImportError(.usage, "\(source.name) has no entity “\(entity)”, which --identity names; check the name")
        }
        try identities.read(attribute, of: entity, in: source)
      }
      all[source.name] = identities
    }
    return all
  }

  private func reporter(_ plan: ImportPlan) -> (Int) -> Void {
    let (progress, total) = (progress, UInt64(plan.objectCount))
    return { count in
      progress?(StoreProgress(activity: "Importing", completed: UInt64(count), total: total, unit: "objects"))
    }
  }

  private func finish(_ report: inout ImportReport, _ writer: ImportWriter, _ plan: ImportPlan) throws {
    report.add(writer.tally, plan.routes, isMerged: writer.merge != nil)
  }
}

#endif
