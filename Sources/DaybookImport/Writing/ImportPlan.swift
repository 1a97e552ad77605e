#if Import

import Daybook
import DaybookModel

/// What one import does, found without writing: the models, the ways of all values, and the report so far.
struct ImportPlan {
  let translation: Translation
  /// The model of the store after the import.
  let model: Model
  /// The model while rows are written: without the rules that they break.
  private(set) var firstModel: Model
  let routes: ImportRoutes
  let check: RowCheck
  private(set) var report: ImportReport
  private(set) var info = CommitInfo()
  /// The identity of the source in the metadata of commits.
  private(set) var sourceName = ""
  /// The fields whose rules count for new values only.
  private var relaxedRules: Set<SourceField> = []

  /// - Parameter present: The model of the store; `nil` for a new one.
  init(
    _ sources: [any ObjectSource], _ target: SourceLookup, _ options: TranslationOptions, _ present: Model?,
    _ origin: String, progress: ((StoreProgress) -> Void)?
  ) throws {
    let translation = try Translation(of: target, options, origin: origin)
    self.translation = translation
    let imported = translation.model
    model = try present.map { try ModelMerge.merged($0, adding: imported) } ?? imported
    firstModel = model
    routes = ImportRoutes(sources, translation, in: model)
    let total = try sources.reduce(0) { sum, source in try source.objectCounts().values.reduce(sum, +) }
    check = try RowCheck(routes, in: model) { count in
      progress?(
        StoreProgress(activity: "Checking", completed: UInt64(count), total: UInt64(total), unit: "objects"))
    }
    report = translation.report
  }

  /// The number of objects that are imported.
  var objectCount: Int { check.objectCounts.values.reduce(0, +) }

  // MARK: Rules

  /// Removes the rules that rows break from the model by which they are written.
  mutating func relaxRules() {
    relaxedRules = Set(check.violations.filter { $0.kind != .required }.map(\.field))
    for entity in translation.entities {
      guard let place = firstModel.entities.firstIndex(where: { $0.name == entity.name }) else { continue }
      for attribute in entity.attributes where relaxedRules.contains(attribute.source) {
        guard let number = firstModel.entities[place].attributes.firstIndex(where: { $0.name == attribute.name }) else {
          continue
        }
        firstModel.entities[place].attributes[number].rules = []
      }
    }
    for violation in check.violations where violation.kind != .required {
      report.changed.append(
        ChangedPart(
          violation.field.description, from: "a rule of all objects", to: "a rule of new values",
          why: violation.description))
    }
  }

  /// - Throws: ``ImportError`` with the list of the rules that rows break.
  func checkRules(relaxes: Bool) throws(ImportError) {
    let broken = check.violations.filter { !relaxedRules.contains($0.field) || $0.kind == .required }
    guard !broken.isEmpty else { return }
    let shown = broken.prefix(100).map { "  \($0)" } + (broken.count > 100 ? ["  and \(broken.count - 100) more"] : [])
    let advice =
      relaxes
      ? "Correct the rows, or the rules of the store" : "Correct the rows in the application, or import with --relax"
    throw ImportError(
      .data,
      (["Rows of the source break rules of the model, so nothing was written:"] + shown + [advice]).joined(
        separator: "\n"))
  }

  // MARK: The report

  /// Adds what the commits and the report have in common.
  mutating func complete(
    _ kind: ImportJob.Kind, _ sources: [any ObjectSource], version: String?, notes: [SourceNote],
    renames: [String: String], _ options: ImportOptions
  ) {
    report.version = version
    report.dropped += routes.lost
    report.values += check.values
    for place in report.entities.indices {
      report.entities[place].objectCount = check.objectCounts[report.entities[place].name] ?? 0
    }
    for note in notes { report.add(note) }
    sourceName = ImportPlan.name(of: sources)
    var metadata: CommitMetadata = ["import": .string(kind.rawValue), "source": .string(sourceName)]
    if let version { metadata["version"] = .string(version) }
    if let renames = ImportPlan.text(of: renames) { metadata[ImportPlan.renamesKey] = .string(renames) }
    info = CommitInfo(
      author: options.author, message: options.message, metadata: metadata,
      correlation: "import \(StoreOptions().makeID())")
  }

  /// The metadata of a commit with the names that an import gave in place of the source's: a later one gives them again.
  static let renamesKey = "renames"

  /// Returns the identity of the sources in the metadata of commits.
  static func name(of sources: [any ObjectSource]) -> String {
    let names = sources.map { source in
      source.identity?.description ?? source.name.split(separator: "/").last.map(String.init) ?? source.name
    }
    return names.sorted().joined(separator: ",")
  }

  /// Returns names as JSON, or `nil` without any, and for more than metadata have room for.
  private static func text(of renames: [String: String]) -> String? {
    if renames.isEmpty { return nil }
    let members = renames.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSONValue.string($0.value)) }
    let text = JSONValue.object(members).text
    return text.utf8.count < CommitMetadata.maximumSizeInBytes / 2 ? text : nil
  }

  mutating func addSourceNotes(_ sources: [any ObjectSource]) throws {
    for source in sources {
      for note in try source.notes() { report.add(note) }
    }
  }
}

#endif
