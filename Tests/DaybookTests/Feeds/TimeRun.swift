import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookQuery
@testable import DaybookRuntime

/// Tasks with dates, for requests that read the time.
enum TimeModel {
  static let model = Model(entities: [
    Entity(
      name: "Task", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "due", type: .date, isOptional: true),
        Attribute(name: "start", type: .date, isOptional: true),
        Attribute(name: "rank", type: .integer, isOptional: true),
      ],
      relationships: [
        Relationship(name: "project", target: "Project", inverse: "tasks", isOptional: true)
      ], indexes: [Index([SortTerm(path: ["due"])])]),
    Entity(
      name: "Project", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "end", type: .date, isOptional: true),
      ], relationships: [Relationship(name: "tasks", target: "Task", inverse: "project", isMany: true)]),
  ])

  static let start = Timestamp(microseconds: 1_000_000_000_000_000)

  static func time(_ seconds: Int) -> Value {
    .date(Timestamp(microseconds: start.microseconds + Int64(seconds) * 1_000_000))
  }

  static func request(
    _ filter: String, of entity: String = "Task", section: String? = nil, limit: Int? = nil
  ) throws -> FetchRequest {
    FetchRequest(
      entity: entity, filter: try Filter(parsing: filter), sort: [SortTerm(path: ["name"])],
      section: try section.map { try SectionKey(parsing: $0) }, limit: limit)
  }
}

/// Random writes and moves of the clock, after which each consumer must have what a fresh fetch returns.
struct TimeRun {
  private let store: Store
  private let clock: FixedClock
  private var generator: SeededRandom
  private var ids: (tasks: [ObjectID], projects: [ObjectID]) = ([], [])
  private var consumers: [Consumer] = []
  /// What was delivered to a consumer, at each cursor.
  private var saved: [(request: FetchRequest, cursor: FeedCursor, ids: SectionedIDs<ObjectID>)] = []

  /// A consumer that applies differences.
  final class Consumer {
    let request: FetchRequest
    let results: JointResults
    var ids: SectionedIDs<ObjectID>
    var time: Timestamp?

    init(_ request: FetchRequest, _ results: JointResults, having ids: SectionedIDs<ObjectID>) {
      (self.request, self.results, self.ids) = (request, results, ids)
    }
  }

  static let filters = [
    "due < now", "due < now + 10s AND rank > 2", "due >= @now - 5s OR start == now", "NOT due > now",
    "due < now AND due > now - 20s", "start != now AND rank != 1", "project.end < now",
    "start < now + 1m AND due == nil",
    "now < due",
  ]
  static let projectFilters = [
    "COUNT(tasks WHERE due < now) >= 2", "ANY tasks WHERE (due < now + 5s AND rank > 1)", "ANY tasks.due < now",
    "ALL tasks.due >= now - 5s AND end > now",
  ]

  init(_ store: Store, _ clock: FixedClock, _ generator: SeededRandom) {
    (self.store, self.clock, self.generator) = (store, clock, generator)
  }

  private mutating func date() -> Value {
    generator.isOneIn(6) ? .null : TimeModel.time(generator.number(-20..<60))
  }

  private mutating func request() throws -> FetchRequest {
    if generator.isOneIn(3) { return try TimeModel.request(generator.pick(Self.projectFilters), of: "Project") }
    return try TimeModel.request(
      generator.pick(Self.filters), section: generator.isOneIn(3) ? "rank" : nil,
      limit: generator.isOneIn(4) ? 2 : nil)
  }

  private mutating func write() throws {
    let kind = generator.number(0..<8)
    let (a, b, rank) = (date(), date(), Value.integer(Int64(generator.number(0..<5))))
    let (task, project) = (ids.tasks.isEmpty ? nil : generator.pick(ids.tasks), generator.pick(ids.projects))
    let isOne = generator.isOneIn(2)
    try store.writeNow { tx in
      switch (kind, task) {
      case (0, let task?): try tx.delete(task)
      case (1, let task?): try tx.set(task, ["due": a])
      case (2, let task?): try tx.set(task, ["start": a, "rank": rank])
      case (3, let task?): try tx.relate(task, "project", to: project)
      case (4, _): try tx.set(project, ["end": a])
      default:
        let made = try tx.insert("Task", ["name": .string("t\(rank)"), "due": a, "start": b, "rank": rank])
        if isOne { try tx.relate(made, "project", to: project) }
      }
    }
    ids.tasks = try store.read { try $0.fetch(FetchRequest(entity: "Task")).rows.map(\.id) }
  }

  /// Lets a consumer take what it lacks, and compares it with a fetch at its position and time.
  private mutating func check(_ consumer: Consumer) throws {
    while let step = try consumer.results.update() {
      guard case .rows(let change)? = step.parts[0] else { continue }
      #expect(!change.isReset)
      consumer.ids = try consumer.ids.applying(change.difference)
      let time = try #require(step.time)
      let former = consumer.time ?? time
      #expect(former <= time, "the time went back")
      if change.from == change.to {
        let commits = change.causes.values.joined().count
        #expect(commits == 0)
      }
      consumer.time = time
      let expected = try store.read { try $0.ids(of: consumer.request.at(time), at: step.to) }
      #expect(consumer.ids == expected, "\(consumer.request.filter!) after \(change), seed \(generator.seed)")
      saved.append((consumer.request, step.cursor, consumer.ids))
    }
    let present = try store.read { try $0.fetch(consumer.request).ids }
    #expect(consumer.ids == present, "\(consumer.request.filter!) at the end, seed \(generator.seed)")
  }

  /// Resumes from a cursor that was delivered, in its text form.
  private mutating func resume() throws {
    guard !saved.isEmpty else { return }
    let (request, cursor, ids) = generator.pick(saved)
    let text = "\(cursor)"
    let restored = try #require(FeedCursor(text))
    #expect(restored == cursor && restored.time != nil)
    let granularity: ChangeGranularity = generator.isOneIn(2) ? .everyCommit : .coalesced
    let results = try store.jointResults(of: [.rows(of: request)], from: restored, granularity: granularity)
    try check(Consumer(request, results, having: ids))
  }

  /// Resumes from a plain position, whose time is the recorded one.
  private mutating func resumePlainly() throws {
    let (request, position) = (
      try request(), Position(UInt64(generator.number(0..<Int(try store.position.number) + 1)))
    )
    let ids = try store.read { try $0.ids(of: request, at: position) }
    let granularity: ChangeGranularity = generator.isOneIn(2) ? .everyCommit : .coalesced
    let results = try store.jointResults(
      of: [.rows(of: request)], from: FeedCursor(position), granularity: granularity)
    try check(Consumer(request, results, having: ids))
  }

  /// Compares a difference between two positions with their results.
  private mutating func difference() throws {
    let (request, position) = (try request(), try store.position)
    let positions = (0..<2).map { _ in Position(UInt64(generator.number(1..<Int(position.number) + 1))) }
    let (from, to) = (positions[0], positions[1])
    let (old, change, new) = try store.read { reader in
      (
        try reader.ids(of: request, at: from), try reader.difference(of: request, from: from, to: to),
        try reader.ids(of: request, at: to)
      )
    }
    #expect(try old.applying(change.difference) == new, "\(request.filter!) \(from) \(to), seed \(generator.seed)")
  }

  mutating func run() throws {
    ids.projects = try (0..<3).map { number in
      try store.writeNow { try $0.insert("Project", ["name": .string("p\(number)")]) }
    }
    for _ in 0..<60 {
      switch generator.number(0..<10) {
      case 0..<4: try write()
      case 4..<6: clock.advance(byMicroseconds: Int64(generator.number(0..<9)) * 1_000_000)
      case 6:
        // Dates are whole seconds, and a test of order turns at one of them or a microsecond later.
        let fraction = clock.now.microseconds % 1_000_000
        clock.advance(byMicroseconds: fraction == 0 ? 1 : 1_000_000 - fraction)
        for consumer in consumers { try check(consumer) }
      case 7 where consumers.count < 5:
        let (request, granularity) = (try request(), generator.isOneIn(3) ? ChangeGranularity.everyCommit : .coalesced)
        let position = try store.position
        let ids = try store.read { try $0.ids(of: request, at: position) }
        let results = try store.jointResults(
          of: [.rows(of: request)], from: FeedCursor(position), granularity: granularity)
        consumers.append(Consumer(request, results, having: ids))
      case 8: try difference()
      default:
        for consumer in consumers where generator.isOneIn(2) { try check(consumer) }
        try generator.isOneIn(2) ? resume() : resumePlainly()
      }
    }
    for consumer in consumers { try check(consumer) }
  }
}
