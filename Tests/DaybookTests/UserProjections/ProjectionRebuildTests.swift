import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct ProjectionRebuildTests {
  private struct Stop: Error {}

  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws { directory = try TemporaryDirectory() }

  /// Creates a store with some history, and a projection that applies a few commits at a time.
  private func makeStore(_ projection: any Projection, commits: Int = 40) throws -> Store {
    var options = StoreOptions.knowing(projection)
    options.projectionBatchLimit = 4
    let store = try Store(at: path, model: FeedModel.model, options: options)
    var ids: [ObjectID] = []
    for number in 0..<commits {
      try store.write { tx in
        ids.append(try tx.insert("Recipe", ["name": .string("\(number)")]))
        if number % 3 == 2 { try tx.delete(ids[number - 1]) }
      }
    }
    try store.projection(projection.name).catchUp()
    return store
  }

  private func figures(_ store: Store) throws -> ChainProjection.Figures {
    try store.read { try ChainProjection.figures(of: "chain", $0).figures }
  }

  private func record(_ store: Store) throws -> ProjectionRecord {
    try store.keeper.projectionsEnvironment.withSnapshot {
      try store.keeper.currentProjections.record(of: "chain", in: $0)
    }
  }

  /// Returns the number of generations that have tables.
  private func generationCount(_ store: Store) throws -> Int {
    let names = try store.keeper.projectionsEnvironment.withSnapshot { try $0.tableNames() }
    return Set(names.filter { $0.hasPrefix("projection/") }.map { $0.split(separator: ".")[1] }).count
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline]) func rebuiltRowsEqualTheLiveOnes(mode: ProjectionMode) throws {
    let store = try makeStore(ChainProjection("chain", mode: mode))
    let before = try figures(store)
    let list = try store.liveResults(of: Request(entity: ChainProjection.objectsEntity(of: "chain")))
    let generation = try record(store).live?.generation
    var steps = 0
    try store.projection("chain").rebuild { progress in
      steps += 1
      #expect(progress.total == 41)
    }
    #expect(steps > 5)
    #expect(try figures(store) == before)
    #expect(try list.update() == nil)
    #expect(try record(store).live?.generation != generation)
    #expect(try record(store).next == nil)
    #expect(try generationCount(store) == 1)
    try ChainProjection.check("chain", in: store)
    try closeAndVerify(store)
  }

  @Test func aRebuildThatWasEndedGoesOn() throws {
    let store = try makeStore(ChainProjection("chain", mode: .catchUp))
    let before = try figures(store)
    var completed: [UInt64] = []
    #expect(throws: Stop.self) {
      try store.projection("chain").rebuild { progress in
        completed.append(progress.completed)
        if completed.count == 3 { throw Stop() }
      }
    }
    #expect(completed == [4, 8, 12])
    #expect(try store.projections().first?.rebuild == 12)
    #expect(try figures(store) == before)
    // The live rows advance during the rebuild.
    try store.insertRecipes("more")
    try store.projection("chain").catchUp()
    #expect(try ChainProjection.check("chain", in: store) == 42)
    store.close()
    var options = StoreOptions.knowing(ChainProjection("chain", mode: .catchUp))
    options.projectionBatchLimit = 4
    let again = try Store(at: path, options: options)
    completed = []
    try again.projection("chain").rebuild { completed.append($0.completed) }
    #expect(completed.first == 16)
    #expect(try ChainProjection.check("chain", in: again) == 42)
    #expect(try again.projections().first?.rebuild == nil)
    try closeAndVerify(again)
  }

  @Test func aTaskThatIsCancelledEndsItsRebuild() async throws {
    let store = try makeStore(ChainProjection("chain", mode: .catchUp))
    let steps = Shared(0)
    let task = Task {
      try store.projection("chain").rebuild { _ in
        steps.change { $0 += 1 }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(steps.now == 1)
    #expect(try store.projections().first?.rebuild != nil)
    try store.projection("chain").rebuild()
    try ChainProjection.check("chain", in: store)
    store.close()
  }

  @Test func aRebuildCanBeThrownAway() throws {
    let store = try makeStore(ChainProjection("chain", mode: .catchUp))
    #expect(throws: Stop.self) { try store.projection("chain").rebuild { _ in throw Stop() } }
    #expect(try generationCount(store) == 2)
    try store.projection("chain").discardRebuild()
    #expect(try generationCount(store) == 1)
    #expect(try store.projections().first?.rebuild == nil)
    try ChainProjection.check("chain", in: store)
    let error = #expect(throws: StoreError.self) { try store.projection("nothing").discardRebuild() }
    #expect(error?.code == .notFound)
    #expect(try store.projections().count == 1)
  }

  @Test func anInlineProjectionIsKeptWhileItIsRebuilt() throws {
    let store = try makeStore(ChainProjection("chain", mode: .inline))
    var count = 0
    try store.projection("chain").rebuild { _ in
      count += 1
      if count <= 5 { try store.insertRecipes("meanwhile") }
      #expect(try ChainProjection.check("chain", in: store) == store.position)
    }
    #expect(try ChainProjection.check("chain", in: store) == store.position)
    try store.insertRecipes("after")
    #expect(try ChainProjection.check("chain", in: store) == store.position)
    try closeAndVerify(store)
  }

  @Test func readersSeeWholeRowsWhileTheyAreSwapped() throws {
    let store = try makeStore(ChainProjection("chain", mode: .inline), commits: 8)
    let isDone = Flag()
    let faults = Shared<[String]>([])
    let readers = (0..<3).map { _ in
      Thread {
        while !isDone.isSet {
          do { try ChainProjection.check("chain", in: store) } catch { faults.change { $0.append("\(error)") } }
        }
      }
    }
    for reader in readers { reader.start() }
    for number in 0..<30 {
      try store.projection("chain").rebuild()
      if number % 3 == 0 { try store.insertRecipes("more") }
    }
    isDone.set()
    while readers.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
    #expect(faults.now == [])
    try closeAndVerify(store)
  }

  @Test func aReaderKeepsItsRowsUntilItEnds() throws {
    let store = try makeStore(ChainProjection("chain", mode: .catchUp))
    let done = DispatchSemaphore(value: 0)
    try store.read { reader in
      let before = try ChainProjection.figures(of: "chain", reader).figures
      Thread {
        for _ in 0..<3 { try? store.projection("chain").rebuild() }  // A failure would appear in the generation.
        done.signal()
      }.start()
      done.wait()
      let after = try ChainProjection.figures(of: "chain", reader).figures
      #expect(after == before)
    }
    #expect(try record(store).live?.generation == 4)
    try ChainProjection.check("chain", in: store)
  }

  @Test func aHigherVersionTakesThePlaceOfALowerOne() throws {
    try makeStore(ChainProjection("chain", mode: .catchUp)).close()
    let second = try Store(at: path, options: .knowing(ChainProjection("chain", mode: .catchUp, version: 2)))
    // The rows of the lower version are read until the new ones take their place.
    #expect(try second.projections().first?.version == 1)
    #expect(try ChainProjection.check("chain", in: second) == 41)
    try second.projection("chain").catchUp()
    #expect(try second.projections().first?.version == 2)
    #expect(try ChainProjection.check("chain", in: second) == 41)
    #expect(try generationCount(second) == 1)
    second.close()
    let first = try Store(at: path, options: .knowing(ChainProjection("chain", mode: .catchUp)))
    for call in [{ try first.projection("chain").catchUp() }, { try first.projection("chain").rebuild() }] {
      let error = #expect(throws: StoreError.self) { try call() }
      #expect(error?.code == .newerFormat)
    }
    first.close()
    let error = #expect(throws: StoreError.self) {
      try Store(at: path, options: .knowing(ChainProjection("chain", mode: .inline)))
    }
    #expect(error?.code == .newerFormat)
    // A store opened without the projection can read it.
    let other = try Store(at: path)
    #expect(try other.projections().first?.version == 2)
    #expect(try ChainProjection.check("chain", in: other) == 41)
  }

  @Test func rowsOfAnotherJournalAreMadeAnew() throws {
    let store = try makeStore(ChainProjection("chain", mode: .catchUp), commits: 5)
    // The state after the journal was replaced beside the rows.
    try store.keeper.changeRecord(of: "chain") { record, _ in record.live?.checkpoint.hash = .zero }
    try store.projection("chain").catchUp()
    #expect(try ChainProjection.check("chain", in: store) == 6)
    try store.keeper.changeRecord(of: "chain") { record, _ in record.live?.checkpoint.position = 1_000 }
    try store.projection("chain").catchUp()
    #expect(try ChainProjection.check("chain", in: store) == 6)
    try store.insertRecipes("after")
    try store.projection("chain").catchUp()
    #expect(try ChainProjection.check("chain", in: store) == 7)
    #expect(try generationCount(store) == 1)
  }

  @Test func theBytesOfARecordAreThoseOfTheFileFormat() throws {
    let derived = DerivedModel(
      projection: "chain", reads: [], entities: ChainProjection("chain", mode: .inline).entities)
    var record = ProjectionRecord()
    record.live = ProjectionRecord.Instance(version: 3, generation: 7, fold: 2, derived)
    var description: [UInt8] = []
    description.appendText(derived.text)
    // The digest, the checkpoint and its hash are zeros.
    #expect(record.bytes == [4, 1, 3, 7, 2] + [UInt8](repeating: 0, count: 80) + [0, 0, 0] + description)
    let hash = Digest(words: (0, 0, 0, 5))
    record.live?.note([1, 2].rawSpan, by: 9)
    record.live?.checkpoint = Checkpoint(9, hash: hash, omittingFormat: 1)
    record.live?.quarantineCount = 2
    record.live?.hasRetries = true
    record.live?.stop = ProjectionRecord.Stop(position: 10, reason: "bad")
    var expected: [UInt8] = [4, 1, 3, 7, 2]
    expected.appendFixed(UInt64(0))
    expected.append(Digest(hashing: ([UInt8](repeating: 0, count: 39) + [9, 1, 2]).rawSpan))
    expected.appendFixed(UInt64(9))
    expected.append(hash)
    expected += [2, 1, 3]
    expected.appendFixed(UInt64(10))
    expected.appendText("bad")
    #expect(record.bytes == expected + description)
    #expect(ProjectionRecord(record.bytes.rawSpan) == record)
  }

  @Test(arguments: ["objects", "changes"]) func rowsWhoseTableIsGoneAreMadeAnew(table: String) throws {
    let store = try makeStore(ChainProjection("chain", mode: .catchUp), commits: 5)
    let names = ProjectionRecord.derivedTableNames(of: "chain", try #require(try record(store).live))
    let name = try #require(names.first { $0.hasSuffix(".\(table)") })
    var transaction = try store.keeper.beginWrite(to: store.keeper.currentProjections)
    try transaction.drop(#require(try transaction.openTable(name, create: false)))
    try transaction.commit()
    let error = #expect(throws: StoreError.self) { try figures(store) }
    #expect(error?.code == .damaged)
    try store.projection("chain").catchUp()
    #expect(try ChainProjection.check("chain", in: store) == 6)
    try closeAndVerify(store)
  }

  @Test func aDamagedRecordMeansMakingAnew() throws {
    let store = try makeStore(ChainProjection("chain", mode: .catchUp), commits: 5)
    var transaction = try store.keeper.beginWrite(to: store.keeper.currentProjections)
    try transaction.put(ProjectionRecord.key(of: "chain"), [99, 1, 2], in: store.keeper.currentProjections.stateTable)
    try transaction.commit()
    try store.projection("chain").catchUp()
    #expect(try ChainProjection.check("chain", in: store) == 6)
    #expect(try generationCount(store) == 1)
    try closeAndVerify(store)
  }
}
