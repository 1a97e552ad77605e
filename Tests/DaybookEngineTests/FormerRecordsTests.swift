import DaybookModel
import DaybookQuery
import DaybookTestSupport
import LMDB
import Testing

@testable import DaybookEngine

/// The records before a commit, which its events show, compared with the state before the commit.
@Suite(.hangLimit) struct FormerRecordsTests {
  /// Writes random commits and calls `body` with the states after and before each.
  private func forEachCommit(
    _ body: (EngineBench, _ after: State, _ before: State, CommitView) throws -> Void
  ) throws {
    try Seeds.run(5) { seed in
      var random = SeededRandom(seed: seed)
      let bench = try EngineBench(Garden.model)
      var objects: [(id: ObjectID, entity: String)] = []
      for _ in 0..<60 { try Garden.change(bench, &random, &objects) }
      try bench.read { present, journal in
        for position in stride(from: bench.head.number, through: 2, by: -1) {
          let after = try present.rewound(to: Position(position), in: journal)
          let before = try after.moved(to: Position(position - 1), in: journal)
          try journal.withCommit(at: Position(position)) { try body(bench, after, before, $0) }
        }
      }
    }
  }

  /// Returns what the events of a row's own object determine: its times and its stored fields.
  private func ownPart(_ record: RawSpan?, of entity: ResolvedEntity) throws -> [UInt8]? {
    guard let record, !record.isEmpty, try !RecordView(record).isTombstone else { return nil }
    let view = try RecordView(record)
    let derived = Set(entity.attributes.filter { $0.derivation != nil }.map(\.tag))
    var part: [UInt8] = []
    var stamps = view.stamps
    stamps.last = stamps.created
    part.appendRecordHead(stamps)
    var fields = FieldReader(view.fields)
    while !fields.isAtEnd {
      let field = try fields.next()
      if !derived.contains(field.tag) { part.append(bytes: field.whole) }
    }
    return part
  }

  @Test func aCommitShowsTheRecordsBeforeIt() throws {
    var differingCount = 0
    try forEachCommit { bench, after, before, commit in
      for entity in bench.model.entities {
        let former = try FormerRecords(
          ofEntity: entity.index, before: commit.header, commit.body, in: after.reader, limitInBytes: .max)
        for number in 1...80 {
          let id = ObjectID(high: 1, low: UInt64(number))
          let key = ObjectKey(entity: entity.index, id: id)
          let present = try after.reader.unsafeRecord(of: key)?.unsafeBytes ?? .none
          let found = try ownPart((former.unsafeRecord(of: id) ?? present).unsafeSpan, of: entity)
          let expected = try ownPart(before.reader.unsafeRecord(of: key), of: entity)
          try #require(found == expected, "\(entity.name) \(number) before commit \(commit.header.position)")
          if try ownPart(present.unsafeSpan, of: entity) != expected { differingCount += 1 }
        }
      }
    }
    #expect(differingCount > 100)
  }

  /// Requests that need nothing but the records of their rows, by all fields that such requests may read.
  private static func ownRequests() throws -> [FetchRequest] {
    [
      FetchRequest(
        entity: "Plant", filter: try Filter(parsing: "height != 3"),
        sort: [SortTerm(path: ["height"]), SortTerm(path: ["name"])]),
      FetchRequest(
        entity: "Plant", filter: try Filter(parsing: "bed != nil AND changedAt > createdAt"),
        sort: [SortTerm(path: ["changedAt"], .descending)]),
      FetchRequest(
        entity: "Plant", sort: [SortTerm(path: ["id"])], section: SectionKey(path: ["changedAt"], transform: .day)),
      FetchRequest(entity: "Plant", sort: [SortTerm(path: ["createdAt"])], section: SectionKey(path: ["height"])),
    ]
  }

  @Test(arguments: try FormerRecordsTests.ownRequests())
  func theChangesOfACommitAreTheSameWithoutTheStateBeforeIt(fetch: FetchRequest) throws {
    var changedCount = 0
    try forEachCommit { bench, after, before, commit in
      let request = try ResolvedRequest(fetch, in: bench.model)
      let dependents = RequestDependents(request, in: bench.model)
      #expect(dependents.readOnlyOwnRecords)
      let position = commit.header.position
      let found = try bench.read { _, journal in
        try NetChanges(
          request, dependents, from: position, through: position, in: journal, new: after.reader
        ) { throw Mismatch("the state before commit \(position) was asked for") }
      }
      var collector = CandidateCollector(dependents, reader: after.reader)
      try collector.take(commit)
      let expected = try NetChanges(
        request, candidates: collector.candidates, old: before.reader, new: after.reader)
      try #require(summary(found) == summary(expected), "commit \(position)")
      changedCount += expected.rows.count { $0.isChanged }
    }
    #expect(changedCount > 20)
  }

  @Test(arguments: try FormerRecordsTests.ownRequests())
  func theChangesOfACommitFollowFromItsSharedRecords(fetch: FetchRequest) throws {
    var changedCount = 0
    try forEachCommit { bench, after, before, commit in
      let request = try ResolvedRequest(fetch, in: bench.model)
      let dependents = RequestDependents(request, in: bench.model)
      let shared = try #require(try CommitChanges(commit.header, commit.body, in: after.reader))
      let own = try #require(OwnRecordChanges(request, dependents, in: bench.model))
      let found = try #require(try own.changes(by: shared)).netChanges(request, endingAt: nil)
      var collector = CandidateCollector(dependents, reader: after.reader)
      try collector.take(commit)
      let expected = try NetChanges(
        request, candidates: collector.candidates, old: before.reader, new: after.reader)
      try #require(summary(found) == summary(expected), "commit \(commit.header.position)")
      changedCount += found.rows.count { $0.isChanged }
    }
    #expect(changedCount > 20)
  }

  @Test func largeCommitsAreNotShared() throws {
    let bench = try EngineBench(Garden.model)
    let (_, plant) = try Garden.plantRose(bench)
    try bench.commit(.rename(plant, to: String(repeating: "a", count: 5_000)))
    try bench.commit(.rename(plant, to: "Tulip"))
    try bench.read { present, journal in
      // The first commit is a model; the event of the last one has the long name as the old value.
      for position: Position in [1, 4] {
        let shared = try journal.withCommit(at: position) { try CommitChanges($0.header, $0.body, in: present.reader) }
        #expect(shared == nil)
      }
    }
  }

  private func summary(_ changes: NetChanges) -> [String] {
    changes.rows.map {
      "\($0.id) \($0.old?.summary ?? "-") \($0.new?.summary ?? "-") \($0.isMoved) \($0.isChanged) \($0.causes)"
    }.sorted()
  }

  @Test func aRequestThatReadsOtherObjectsNeedsTheStateBefore() throws {
    let model = try ResolvedModel(creating: Garden.model)
    func readsOnlyOwn(_ request: FetchRequest) throws -> Bool {
      try RequestDependents(ResolvedRequest(request, in: model), in: model).readOnlyOwnRecords
    }
    #expect(try readsOnlyOwn(FetchRequest(entity: "Plant", sort: [SortTerm(path: ["name"])])))
    #expect(try !readsOnlyOwn(FetchRequest(entity: "Plant", sort: [SortTerm(path: ["bed", "name"])])))
    // The number of plants is derived.
    #expect(try !readsOnlyOwn(FetchRequest(entity: "Bed")))
  }

  @Test func recordsThatOutgrowTheLimitAreRefused() throws {
    let bench = try EngineBench(Garden.model)
    let (_, plant) = try Garden.plantRose(bench)
    try bench.commit(.rename(plant, to: "Tulip"))
    #expect(throws: SpanTooLarge.self) {
      try bench.read { present, journal in
        try journal.withCommit(at: 3) { commit in
          _ = try FormerRecords(
            ofEntity: bench.model.requireEntity("Plant"), before: commit.header, commit.body, in: present.reader,
            limitInBytes: 1)
        }
      }
    }
  }
}

private extension RowState {
  var summary: String { "\(key.bytes) \(key.sectionSize) \(sectionName)" }
}
