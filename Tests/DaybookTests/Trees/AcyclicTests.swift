import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookModel
@testable import DaybookRuntime

/// Relationships that may not lead from an object back to it.
@Suite(.hangLimit) struct AcyclicTests {
  private let directory: TemporaryDirectory
  private let a = FolderModel.id(1)
  private let b = FolderModel.id(2)
  private let c = FolderModel.id(3)
  private let d = FolderModel.id(4)

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Returns a store with four folders at the top.
  private func makeStore(acyclic: Bool = true, at name: String = "store", options: StoreOptions = .init()) throws
    -> Store
  {
    let store = try Store(at: directory.path(name), model: FolderModel.model(acyclic: acyclic), options: options)
    try store.write { tx in
      for id in [a, b, c, d] { try tx.insert("Folder", ["name": .string("\(id.low)")], id: id) }
    }
    return store
  }

  private func expectCycle(
    of ids: [ObjectID], at location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: StoreError.self, sourceLocation: location, performing: body)
    #expect(error?.code == .constraint, sourceLocation: location)
    let path = (ids + [ids[0]]).map(\.description).joined(separator: " → ")
    #expect(
      error?.message == "Folder.parent leads in a cycle: \(path).", "\(error?.message ?? "")",
      sourceLocation: location)
  }

  @Test func aCommitThatClosesACycleIsRefused() throws {
    let store = try makeStore()
    expectCycle(of: [a]) { try store.write { try $0.move(a, into: a) } }
    try store.write { try $0.move(a, into: b) }
    expectCycle(of: [a, b]) { try store.write { try $0.move(b, into: a) } }
    // From the other side of the relationship too.
    expectCycle(of: [a, b]) { try store.write { try $0.relate(a, "children", to: b) } }
    expectCycle(of: [a, b]) {
      try store.write { tx in
        try tx.move(b, into: a)
        try tx.insert("Folder", ["name": "e"])
      }
    }
    #expect(try store.position == 3)
    #expect(try store.read { try $0.targets(of: b, "parent") } == [])
  }

  @Test func movesOfOneCommitCountTogether() throws {
    let store = try makeStore()
    expectCycle(of: [a, b, c]) {
      try store.write { tx in
        try tx.move(a, into: b)
        try tx.move(b, into: c)
        try tx.move(c, into: a)
      }
    }
    // Closed and opened again: the end of the commit decides.
    try store.write { tx in
      try tx.move(a, into: b)
      try tx.move(b, into: a)
      try tx.move(a, into: c)
    }
    #expect(try store.read { try $0.targets(of: b, "parent") + $0.targets(of: a, "parent") } == [a, c])
    // The upper and the lower end of a chain change places.
    try store.write { tx in
      try tx.move(c, into: b)
      try tx.move(a, into: nil)
      try tx.move(b, into: a)
    }
    // A cycle that is deleted does not count.
    try store.write { tx in
      try tx.move(a, into: c)
      try tx.delete(a)
    }
    #expect(try store.fetch(Request(entity: "Folder")).rows.map(\.id) == [d])
  }

  @Test func aBatchGoesOnWithoutTheRefusedCommit() throws {
    let store = try makeStore()
    try store.batch { batch in
      try batch.commit { try $0.move(a, into: b) }
      expectCycle(of: [a, b]) { try batch.commit { try $0.move(b, into: a) } }
      try batch.commit { try $0.move(b, into: c) }
    }
    #expect(try store.position == 4)
    #expect(try store.verify().faults == [])
  }

  @Test func aContextCannotBeSavedWithACycle() throws {
    let store = try makeStore()
    let context = try store.makeContext()
    try context.edit { try $0.move(a, into: b) }
    // Another writer closes the other half.
    try store.write { try $0.move(b, into: a) }
    let failures = try context.preview().failures
    #expect(failures.map(\.code) == [.constraint])
    #expect(failures.first?.message.contains("\(a) → \(b) → \(a)") == true)
    expectCycle(of: [a, b]) { try context.save() }
    try context.edit { try $0.move(a, into: c) }
    #expect(try context.preview().failures.map(\.message) == [])
    try context.save()
    #expect(try store.read { try $0.targets(of: a, "parent") } == [c])
  }

  /// Returns a commit that closes a cycle, as a store without the rule writes it.
  private func commitWithCycle(for store: Store, _ options: StoreOptions) throws -> PendingCommit {
    let plain = try makeStore(acyclic: false, at: "plain", options: options)
    defer { plain.close() }
    try plain.write { tx in
      try tx.move(a, into: b)
      try tx.move(b, into: a)
    }
    let (header, body) = try plain.files.withJournal { journal in
      try journal.withCommit(at: 3) { ($0.header, [UInt8]($0.body)) }
    }
    return try store.writer.write { session in
      PendingCommit(
        header: CommitHeader(
          position: 3, previousHash: session.headHash, bodyDigest: Digest(hashing: body.rawSpan),
          recordedAt: header.recordedAt, happenedAt: nil, commitID: nil, author: nil, message: nil, eventCount: 2,
          bodySize: body.count, isModel: false),
        body: body)
    }
  }

  @Test func anImportedCycleIsRefused() throws {
    let options = StoreOptions.repeatable()
    let store = try makeStore(options: options)
    let commit = try commitWithCycle(for: store, options)
    let refusal = #expect(throws: CommitRefusal.self) {
      try store.writer.write { try $0.append(checking: commit, model: nil) }
    }
    #expect(refusal?.error.code == .constraint)
    #expect(refusal?.error.message.contains("\(a) → \(b) → \(a)") == true)
    #expect(try store.position == 2)
  }

  @Test func verificationFindsACycle() throws {
    let options = StoreOptions.repeatable()
    let store = try makeStore(options: options)
    let commit = try commitWithCycle(for: store, options)
    try store.files.writeJournal { try $0.append(commit, to: store.files.journalTables) }
    store.close()
    let faults = try Store.verify(at: directory.path("store")).faults
    #expect(faults.count == 1)
    #expect(faults.first?.place == "commit 3")
    #expect(faults.first?.message == "Folder.parent leads in a cycle: \(a) → \(b) → \(a)")
    // What is in the journal is folded nevertheless, and can be mended.
    let again = try Store(at: directory.path("store"), options: options)
    #expect(try again.read { try $0.targets(of: a, "parent") } == [b])
    try again.write { try $0.move(a, into: nil) }
  }
}

/// The rule in models: declared, stored, changed.
extension AcyclicTests {
  @Test func aModelChangeFindsACycle() throws {
    let store = try makeStore(acyclic: false)
    try store.write { tx in
      try tx.move(a, into: b)
      try tx.move(b, into: c)
      try tx.move(c, into: b)
    }
    let rule = FolderModel.model(acyclic: true)
    let refused: [() throws -> Void] = [{ _ = try store.plan(rule) }, { try store.apply(rule) }]
    for call in refused {
      let error = #expect(throws: StoreError.self, performing: call)
      #expect(error?.code == .badModel)
      #expect(error?.message.contains("\(b) → \(c) → \(b)") == true)
    }
    #expect(try store.position == 3)
    try store.write { try $0.move(c, into: nil) }
    #expect(try store.apply(rule).steps == ["make relationship Folder.parent acyclic"])
    expectCycle(of: [b, c]) { try store.write { try $0.move(c, into: b) } }
    #expect(try store.apply(FolderModel.model(acyclic: false)).steps == ["allow cycles of relationship Folder.parent"])
    try store.write { try $0.move(c, into: b) }
    #expect(try store.verify().faults == [])
  }

  @Test func theRuleRaisesTheFormat() throws {
    func format(of store: Store) throws -> [UInt8]? {
      try store.files.withJournal { try $0.meta(JournalMeta.format) }
    }
    let plain = try makeStore(acyclic: false, at: "plain")
    #expect(try format(of: plain) == [1])
    #expect(try !plain.read { $0.resolvedModel.storedJSON.text }.contains("acyclic"))
    try plain.apply(FolderModel.model(acyclic: true))
    #expect(try format(of: plain) == [2, 1])
    try plain.apply(FolderModel.model(acyclic: false))
    #expect(try format(of: plain) == [2, 1], "the journal keeps the model with the rule")
    let store = try makeStore()
    #expect(try format(of: store) == [2, 1])
    #expect(try store.read { $0.model } == FolderModel.model(acyclic: true))
    let json = try store.read { $0.resolvedModel.storedJSON }
    #expect(json.text.contains(#""x-acyclic": true"#))
    #expect(try !ResolvedModel(stored: json).hasLaterParts)
    store.close()
    #expect(try Store(at: directory.path("store")).read { $0.model } == FolderModel.model(acyclic: true))
    #expect(try Store.verify(at: directory.path("store")).faults == [])
  }

  @Test func structsDeclareTheRule() throws {
    let declared = Relationship("parent", toOne: Book.self, inverse: "children", isOptional: true, acyclic: true)
    #expect(declared.isAcyclic && !declared.isMany)
    #expect(!Relationship("parent", toOne: Book.self, inverse: "children", isOptional: true).isAcyclic)
  }

  /// Random moves, several in each commit, against a plain list of parents.
  @Test func randomMovesAreRefusedExactlyForCycles() throws {
    try SeededRandom.run(6) { random in try checkRandomMoves(&random) }
  }

  private func checkRandomMoves(_ random: inout SeededRandom) throws {
    let seed = random.seed
    let path = directory.path("random\(seed)")
    let store = try Store(at: path, model: FolderModel.model(acyclic: true))
    let ids = (0..<8).map(FolderModel.id)
    try store.write { tx in for id in ids { try tx.insert("Folder", id: id) } }
    var parents: [ObjectID: ObjectID] = [:]
    var refusals = 0
    for _ in 0..<120 {
      let moves = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (ids.randomElement(using: &random)!, random.isOneIn(5) ? nil : ids.randomElement(using: &random)!)
      }
      var next = parents
      for (id, parent) in moves { next[id] = parent }
      let hasCycle = ids.contains { start in
        var (id, steps) = (next[start], 0)
        while let present = id, present != start, steps < ids.count { (id, steps) = (next[present], steps + 1) }
        return id == start
      }
      do {
        try store.write { tx in for (id, parent) in moves { try tx.move(id, into: parent) } }
        #expect(!hasCycle, "seed \(seed)")
        parents = next
      } catch let error as StoreError where error.code == .constraint {
        #expect(hasCycle, "seed \(seed)")
        refusals += 1
      }
    }
    #expect(refusals > 5 && refusals < 115, "seed \(seed)")
    #expect(try store.verify().faults == [])
  }
}
