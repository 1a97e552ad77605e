import Daybook
import DaybookTestSupport
import Testing

@testable import DaybookGit

/// Rows that a projection makes of imported histories: at each position they are what git counts.
@Suite(.hangLimit) struct DerivedHistoryTests {
  private func makeStore(_ mode: ProjectionMode, batchLimit: Int = 4_096) throws -> ImportStore {
    var options = StoreOptions()
    options.projections = [MonthlyRevisions(mode: mode)]
    options.followsProjections = false
    options.projectionBatchLimit = batchLimit
    return try ImportStore(options: options)
  }

  /// Compares the rows after a number of commits.
  private func check(_ store: Store, _ months: GitMonths, after count: Int) throws {
    let found = try store.at(Position(UInt64(count) + 1)).fetch(MonthlyRevisions.request)
    var counts: [GitMonths.Key: GitMonths.Count] = [:]
    for section in found.sections {
      for row in section.rows {
        guard case .string(let month) = row["month"], case .integer(let commits) = row["commits"],
          case .integer(let files) = row["files"]
        else { throw Mismatch("\(row) is no row") }
        let key = GitMonths.Key(email: section.name, month: month)
        guard counts.updateValue(GitMonths.Count(commits: Int(commits), files: Int(files)), forKey: key) == nil else {
          throw Mismatch("after \(count) commits there are two rows of \(key)")
        }
      }
    }
    let expected = months.counts(ofFirst: count)
    guard counts == expected else {
      throw Mismatch("after \(count) commits there is \(counts), and in git \(expected)")
    }
  }

  private func check(_ store: Store, _ months: GitMonths, _ random: inout SeededRandom) throws {
    try check(store, months, after: 0)
    try check(store, months, after: months.commitCount)
    for _ in 0..<Rounds.of(30) { try check(store, months, after: random.number(1..<months.commitCount)) }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func `the months of a real history are what git counts`(_ mode: ProjectionMode) throws {
    let repository = try TemporaryRepository()
    try repository.git(["fast-import", "--quiet"], input: SampleHistory.streamWithContents())
    let months = try GitMonths(repository)
    #expect(months.commitCount == 496 && months.counts(ofFirst: 496).count > 40)
    let target = try makeStore(mode)
    let store = target.store
    defer { target.store.close() }
    try SeededRandom.run { random in
      let importer = try GitImporter(store)
      try importer.run(FastExportReader(MemorySource(SampleHistory.stream())))
      let projection = try store.projection("monthly-revisions")
      try projection.catchUp()
      try check(store, months, &random)
      try store.makeSnapshot(at: Position(UInt64(random.number(2...497))))
      try projection.rebuild()
      try check(store, months, &random)
      guard try store.verify().faults.isEmpty else { throw Mismatch("\(try store.verify().faults)") }
    }
  }

  @Test func `the months of a history with merges, moves and times that run backwards are what git counts`() throws {
    try SeededRandom.run { random in
      var history = try RandomMonths()
      let target = try makeStore(random.pick([.inline, .catchUp]), batchLimit: random.number(1...5))
      defer { target.store.close() }
      for _ in 0..<3 {
        for _ in 0..<8 { try history.commit(&random) }
        // Each import continues where the last one ended, and some are applied together.
        let importer = try GitImporter(target.store)
        try importer.run(history.repository.repository.export(after: importer.lastRevision))
        if random.isTrue(percent: 50) { try target.store.projection("monthly-revisions").catchUp() }
      }
      try target.store.projection("monthly-revisions").catchUp()
      let months = try GitMonths(history.repository)
      guard months.commitCount == 24 else { throw Mismatch("git has \(months.commitCount) commits") }
      for count in 0...months.commitCount { try check(target.store, months, after: count) }
    }
  }
}

/// A repository that random commits are added to.
private struct RandomMonths {
  /// Names of which two are equivalent, and two are a file and a folder.
  private static let paths = ["a", "b/c", "b", "b/d/e", "\u{E9}", "e\u{301}", "f g", "h/i", "h/\u{E9}"]

  let repository: TemporaryRepository
  private let blobs: [GitHash]
  private var files: [[UInt8]: (mode: GitMode, blob: GitHash)] = [:]
  /// The commits of the branch.
  private var commits: [GitHash] = []

  init() throws {
    let repository = try TemporaryRepository()
    self.repository = repository
    // Contents that are alike, so that git finds renames; the last ones are binary.
    blobs = try (1...4).map { number in
      let lines = (0..<20).map { "line \($0 * number)\n" }.joined()
      return try repository.blob(number > 2 ? lines + "\0" : lines)
    }
  }

  /// Adds a commit to the branch, which may merge another one.
  mutating func commit(_ random: inout SeededRandom) throws {
    for _ in 0..<random.number(0...3) { change(&random) }
    var parents = Array(commits.suffix(1))
    if !commits.isEmpty, random.isTrue(percent: 25) {
      let tree = try repository.tree([Array("side".utf8): (.file, random.pick(blobs))])
      parents.append(try write(tree, [random.pick(commits)], &random))
    }
    commits.append(try write(repository.tree(files), parents, &random))
    try repository.git(["update-ref", "refs/heads/main", "\(commits[commits.count - 1])"])
  }

  private func write(_ tree: GitHash, _ parents: [GitHash], _ random: inout SeededRandom) throws -> GitHash {
    // Around the end of a month, which in the zones of author and committer is another month.
    func signature() -> String {
      "\(1_000_000_000 + random.number(0...3) * 2_678_400 + random.number(0...90_000)) \(random.pick(["+1200", "-1100"]))"
    }
    let lines =
      ["tree \(tree)"] + parents.map { "parent \($0)" } + [
        "author A <\(random.pick(["a", "b", "c"]))@example.org> \(signature())",
        "committer C <c@example.org> \(signature())", "", "\(commits.count)", "",
      ]
    return try repository.hash(
      ["hash-object", "-t", "commit", "-w", "--stdin"], input: Array(lines.joined(separator: "\n").utf8))
  }

  private mutating func change(_ random: inout SeededRandom) {
    let present = files.keys.sorted { $0.lexicographicallyPrecedes($1) }
    switch random.number(0...5) {
    case 0 where !present.isEmpty: files[random.pick(present)] = nil
    case 1 where !present.isEmpty:
      guard let path = freePath(&random), let file = files.removeValue(forKey: random.pick(present)) else { return }
      files[path] = file
    case 2 where present.count > 1:
      let (first, second) = (random.pick(present), random.pick(present))
      (files[first], files[second]) = (files[second], files[first])
    case 3 where !present.isEmpty: files[random.pick(present)]?.mode = random.pick([.file, .executable, .symbolicLink])
    default:
      guard let path = freePath(&random) ?? present.first else { return }
      files[path] = (.file, random.pick(blobs))
    }
  }

  /// Returns a path that is neither above nor below one of a file.
  private func freePath(_ random: inout SeededRandom) -> [UInt8]? {
    let path = Array(random.pick(Self.paths).utf8)
    let isFree = files.keys.allSatisfy {
      $0 != path && !$0.starts(with: path + [0x2F]) && !path.starts(with: $0 + [0x2F])
    }
    return isFree ? path : nil
  }
}
