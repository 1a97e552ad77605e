import DaybookModel
import DaybookTestSupport
import Foundation

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Applies the same commits to a store and the reference, and compares them.
final class RandomRun {
  /// The settings of a run besides its seed.
  struct Settings {
    var operationCount = 1_000
    /// The number of objects above which deletes prevail.
    var objectLimit = 40
    var changesModel = false
    var checkPercent = 40
    var undoPercent = 25
    var rebuildPercent = 4
    var reopenPercent = 2
    /// The number of damages to projection rows while the store is open.
    ///
    /// The run ends with the last one.
    var damageCount = 0
  }

  let settings: Settings
  let clock = FixedClock()
  let directory: TemporaryDirectory
  var random: SeededRandom
  var source: RandomOperations
  var reference: ReferenceStore
  var store: Store
  var options = StoreOptions()
  var operationCount = 0
  var commitCount = 0
  var undoCount = 0
  var damageCount = 0
  var lastRecordedAt: Timestamp
  /// The large values that the events of all commits hold, by their digests.
  var largeValues: [Digest: Int] = [:]
  /// Rows of earlier positions, for comparison after folding backward.
  var history: [(position: UInt64, rows: TableDump)] = []

  init(seed: UInt64, model: Model? = nil, settings: Settings = Settings()) throws {
    self.settings = settings
    random = SeededRandom(seed: seed)
    let model = model ?? ModelZoo.model(seed, &random)
    source = RandomOperations(SeededRandom(seed: random.next()))
    reference = ReferenceStore(model)
    directory = try TemporaryDirectory()
    options.clock = clock.read
    options.durability = .relaxed
    if random.isTrue(percent: 30) {
      options.journalMapSizeInBytes = 1 << 20
      options.projectionsMapSizeInBytes = 1 << 20
    }
    options.rebuildMemoryInBytes = random.pick([1 << 14, 1 << 18, 256 << 20])
    lastRecordedAt = clock.now
    store = try TestJournal.store(at: directory.path("store"), model: model, options: options)
  }

  func run() throws {
    while operationCount < settings.operationCount, settings.damageCount == 0 || damageCount < settings.damageCount {
      if settings.damageCount > 0 { try damage() }
      try step()
    }
    try checkAll()
    try checkUndo()
    try checkRebuild()
    try checkLargeValues()
    store.close()
  }

  /// Opens the store that the run has closed.
  func reopened() throws -> Store { try Store(at: store.path, options: options) }

  /// Damages some rows that have checksums, in the file of the open store.
  private func damage() throws {
    let file = FileDamage(file: "\(store.path)/projections/data.mdb")
    for _ in 0..<random.number(1...3) {
      if try file.flip(file.rows { TableName.hasChecksums($0) }, &random) != nil { damageCount += 1 }
    }
  }

  private func step() throws {
    let plans = (0..<(random.isTrue(percent: 20) ? random.number(2...5) : 1)).map { _ in plan() }
    try perform(plans)
    operationCount += plans.reduce(0) { $0 + $1.steps.count }
    commitCount += plans.count
    for plan in plans { try check(plan) }
    for plan in plans { noteLargeValues(of: plan) }
    if random.isTrue(percent: settings.checkPercent) { try checkAll() } else { try check(named(in: plans)) }
    if random.isTrue(percent: 20) { try checkFetch(reference.state) { try self.store.fetch($0) } }
    if random.isTrue(percent: settings.undoPercent) { try checkUndo() }
    if random.isTrue(percent: settings.rebuildPercent) { try checkRebuild() }
    if random.isTrue(percent: settings.reopenPercent) { try reopen() }
    if settings.changesModel, random.isTrue(percent: 3) { try changeModel() }
  }
}
