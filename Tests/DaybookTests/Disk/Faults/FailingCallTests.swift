import DaybookTestSupport
import Foundation
import Testing

/// A system call fails, once or permanently, at any point of a store's life.
///
/// It fails in a commit, a rebuild, a snapshot, a backup or while the store is closed and opened. The reported outcome
/// of each commit must be true.
@Suite(.hangLimit, .enabled(if: DiskProcess.library != nil, .init(rawValue: DiskProcess.reason)))
struct FailingCallTests {
  /// The number of failures; `DAYBOOK_FAILURES` overrides it.
  private let failureCount = Rounds.of(150, "DAYBOOK_FAILURES")

  @Test(arguments: Seeds.shards) func whatIsSaidOfEachCommitIsTrue(shard: Int) throws {
    try Seeds.run(failureCount, shard: shard) { seed in
      let run = try FailingRun(seed: seed)
      try run.checkClasses()
      try run.checkWhatIsLeft()
    }
  }

  /// The tests above would prove little if these failures were not among theirs.
  @Test(arguments: [
    // Failures of the first commit: its pages, their flush, and the meta page that completes it.
    ("1 error \(ENOSPC) once", "not 0 full"), ("2 error \(EIO) once", "unknown 0"),
    ("3 error \(EIO) once", "unknown 0"),
    ("3 error \(EIO) always", "unknown 0"),
  ])
  func eachClassComes(failure: String, line: String) throws {
    let run = try FailingRun(seed: 1, failure: failure)
    #expect(run.lines.first == line, "\(run.lines) \(String(describing: run.failure))")
    try run.checkClasses()
    try run.checkWhatIsLeft()
  }
}

/// A store on a disk with one failing call.
struct FailingRun {
  private let directory: TemporaryDirectory
  private let root: String
  private let plan: String
  /// The outcome of each commit.
  let lines: [String]
  /// The call that failed, or `nil` if there were fewer calls.
  let failure: (path: String, kind: String, offset: Int)?

  init(seed: UInt64, failure given: String? = nil) throws {
    var random = SeededRandom(seed: seed)
    let kind = random.pick(["error \(EIO)", "error \(ENOSPC)", "short \(EIO)"])
    plan = given ?? "\(random.number(1...120)) \(kind) \(random.pick(["once", "always"]))"
    directory = try TemporaryDirectory()
    let path = URL(fileURLWithPath: directory.path).resolvingSymlinksInPath().path
    root = path + "/root"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    let ending = try DiskProcess.run(
      ["fail", root, "\(seed)"], watching: root, log: path + "/log", failure: plan)
    guard ending.status == 0 else { throw Mismatch("\(plan): the writer ended by itself: \(ending.output)") }
    let log = try DiskLog(file: path + "/log")
    self.failure = log.failure
    lines = log.printed(before: log.calls.count).split(separator: "\n").dropFirst().map(String.init)
  }

  /// Checks that each outcome is as precise as possible.
  func checkClasses() throws {
    func require(_ isRight: Bool) throws {
      if !isRight { throw Mismatch("\(plan) was \(String(describing: failure)): \(lines)") }
    }
    let unknown = lines.filter { $0.hasPrefix("unknown") }
    let refused = lines.filter { $0.hasPrefix("not") }
    guard let failure else { return try require(unknown.isEmpty && refused.isEmpty) }
    let codes = ["full", "inputOutput", "closed", "busy"]
    try require(refused.allSatisfy { line in codes.contains { line.hasSuffix($0) } })
    // A full disk certainly prevented the commit. Only for a meta page does the storage engine itself give up.
    let firstDataPage = 2 * 4_096
    guard plan.hasSuffix("error \(ENOSPC) once"), failure.kind == "w", failure.offset >= firstDataPage else { return }
    try require(unknown.isEmpty)
    if failure.path.hasPrefix("store/projections") { try require(refused.isEmpty) }
  }

  /// Checks that done commits exist and refused ones do not.
  ///
  /// A commit of unknown outcome must exist once after it is written again.
  func checkWhatIsLeft() throws {
    let outcomes = directory.path("outcomes")
    try lines.joined(separator: "\n").write(toFile: outcomes, atomically: false, encoding: .utf8)
    let ending = try DiskProcess.run(["check", root, "first", outcomes, "0"])
    guard ending.status == 0 else {
      throw Mismatch("\(plan) was \(String(describing: failure)): \(lines)\n\(ending.output)")
    }
  }
}
