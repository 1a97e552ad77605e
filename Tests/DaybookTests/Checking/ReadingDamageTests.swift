import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Damaged pages, met by each command that reads.
///
/// `verify` reads all pages before it uses any; the other commands read only what they need, through the storage engine,
/// which trusts its pages. Whatever page is damaged, a command must either print exactly what it prints for the sound
/// store, or end with status 1 and an error that reports the damage: never by a signal, and never with another result.
@Suite(.hangLimit) struct ReadingDamageTests {
  private static let caseCount = Rounds.given("DAYBOOK_READING_DAMAGE_CASES") ?? 24

  @Test func `each reading command names damaged pages or reads the sound result`() throws {
    let seed = Seeds.one
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    try BusyStore.make(at: path, seed: seed, commitCount: 120, hasLargeCommits: false)
    var laboratory = try PageLaboratory(path: path, seed: seed)
    let commands = try Self.commands(on: path)
    let sound = try commands.map { try laboratory.run($0) }
    for (command, outcome) in zip(commands, sound) {
      try #require(outcome.status == 0, "seed \(seed): \(command): \(outcome.errors)")
    }
    var namedCount = 0
    for number in 0..<Self.caseCount {
      let damage = try laboratory.prepare()
      for (command, expected) in zip(commands, sound) {
        try laboratory.apply(damage)
        let outcome = try laboratory.run(command)
        let name = "seed \(seed), case \(number): \(damage), \(command[0])"
        #expect(outcome.signal == 0, "\(name): ended by signal \(outcome.signal): \(outcome.errors)")
        if outcome.status == 0 {
          #expect(outcome.result(of: command) == expected.result(of: command), "\(name): prints something else")
        } else {
          namedCount += 1
          #expect(outcome.status == 1, "\(name): status \(outcome.status): \(outcome.errors)")
          let errors = outcome.errors
          #expect(errors.contains("damaged") || errors.contains("has no commit"), "\(name): \(errors)")
        }
      }
    }
    try laboratory.repair()
    // Damage that nothing reads proves nothing.
    #expect(namedCount > Self.caseCount, "seed \(seed): only \(namedCount) times damage was met")
  }

  @Test func `a write names damaged pages or is whole`() throws {
    let seed = Seeds.one
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    try BusyStore.make(at: path, seed: seed, commitCount: 120, hasLargeCommits: false)
    var laboratory = try PageLaboratory(path: path, seed: seed)
    var namedCount = 0
    // Each write goes through the roots of several tables.
    for damage in laboratory.zeroedBranches {
      try laboratory.apply(damage)
      let outcome = try laboratory.run(["insert", path, "Kind", "name=new"])
      let name = "seed \(seed): \(damage)"
      #expect(outcome.signal == 0, "\(name): ended by signal \(outcome.signal): \(outcome.errors)")
      if outcome.status == 0 { continue }
      namedCount += 1
      #expect(outcome.status == 1, "\(name): status \(outcome.status): \(outcome.errors)")
      #expect(outcome.errors.contains("damaged"), "\(name): \(outcome.errors)")
    }
    #expect(namedCount > 0, "seed \(seed): no damage was met")
  }

  /// The commands that read a store, with arguments that let each read a part of its own.
  private static func commands(on path: String) throws -> [[String]] {
    let store = try Store(at: path)
    defer { store.close() }
    let recipe = try store.fetch(Request(entity: "Recipe")).rows[0].id.description
    return [
      ["export", path], ["log", path, "--jsonl"], ["log", path, "--object", recipe, "--jsonl"],
      ["log", path, "--reverse", "--limit", "3", "--jsonl"], ["fetch", path, "Recipe", "--json"],
      ["fetch", path, "Recipe", "--at", "60", "--json"], ["get", path, recipe, "--json"],
      ["count", path, "Ingredient"],
      ["tree", path], ["diff", path, "Recipe", "--from", "1", "--json"], ["replay", path, "--jsonl", "--from", "90"],
      ["blame", path, recipe, "--json"], ["stats", path, "--json"], ["trace", path, "100", "--json"],
      ["model", path, "--json"], ["activity", path, "--json"],
    ]
  }
}

/// A store with pages that are damaged before each command, and repaired.
///
/// A command may replace damaged projections by another file, which the journal then trusts. A second link keeps the
/// first file, which is put back: others are not trusted by the journal as it was, and would not be read.
private struct PageLaboratory {
  private let path: String
  private let files: [String]
  private let links: [String]
  private let sound: [[UInt8]]
  private let used: [[Int]]
  /// The pages of each file that are branches.
  private let branches: [Set<Int>]
  private let command: String
  private var random: SeededRandom
  private static let pageSize = 4_096

  struct Outcome {
    var status: Int32
    var signal: Int32
    var output: String
    var errors: String

    /// The part of the output that depends on the rows alone: the figures of the files differ from run to run.
    func result(of command: [String]) -> Substring {
      guard command[0] == "stats", let start = output.range(of: "\"stateHash\": ") else { return output[...] }
      return output[start.upperBound...].prefix { $0 != "," }
    }
  }

  /// The pages of a file that are zeroed or exchanged.
  struct Damage: CustomStringConvertible {
    var file: Int
    var first: Int
    var second: Int?

    var description: String {
      let part = file == 0 ? "journal" : "projections"
      return second.map { "pages \(first) and \($0) of the \(part) exchanged" } ?? "page \(first) of the \(part) zeroed"
    }
  }

  init(path: String, seed: UInt64) throws {
    self.path = path
    random = SeededRandom(seed: seed)
    command = try DamageLaboratory.findCommand()
    files = ["journal", "projections"].map { "\(path)/\($0)/data.mdb" }
    sound = try files.map { [UInt8](try #require(FileManager.default.contents(atPath: $0))) }
    links = ["journal", "projections"].map { "\(path).\($0).link" }
    for (file, link) in zip(files, links) { try FileManager.default.linkItem(atPath: file, toPath: link) }
    branches = sound.map { Set(UsedBytes($0).branches) }
    used = sound.map { bytes in
      let used = UsedBytes(bytes)
      return (2..<bytes.count / PageLaboratory.pageSize).filter { page in
        var zeroed = bytes
        let range = page * PageLaboratory.pageSize..<(page + 1) * PageLaboratory.pageSize
        zeroed.replaceSubrange(range, with: repeatElement(0, count: range.count))
        return used.differ(zeroed, from: bytes, in: range)
      }
    }
  }

  /// Chooses pages in use; three of four times in the journal.
  mutating func prepare() throws -> Damage {
    let file = random.number(0..<4) == 0 ? 1 : 0
    let pages = used[file]
    let (first, second) = (random.pick(pages), random.pick(pages))
    // A read of a range does not notice each pair of branches in each other's places: only a verification does.
    let mayExchange = first != second && !branches[file].isSuperset(of: [first, second])
    return Damage(file: file, first: first, second: mayExchange && random.number(0..<2) == 0 ? second : nil)
  }

  /// Damage of each page above the leaves.
  var zeroedBranches: [Damage] {
    branches.enumerated().flatMap { file, pages in pages.sorted().map { Damage(file: file, first: $0) } }
  }

  /// Restores all files, and damages the pages.
  func apply(_ damage: Damage) throws {
    try repair()
    var bytes = sound[damage.file]
    let size = PageLaboratory.pageSize
    func range(_ page: Int) -> Range<Int> { page * size..<(page + 1) * size }
    if let second = damage.second {
      let saved = Array(bytes[range(second)])
      bytes.replaceSubrange(range(second), with: Array(bytes[range(damage.first)]))
      bytes.replaceSubrange(range(damage.first), with: saved)
    } else {
      bytes.replaceSubrange(range(damage.first), with: repeatElement(0, count: size))
    }
    try write(bytes, to: files[damage.file])
  }

  func repair() throws {
    for (number, file) in files.enumerated() {
      let files = FileManager.default
      if try identity(of: file) != identity(of: links[number]) {
        try? files.createDirectory(atPath: "\(path)/projections", withIntermediateDirectories: false)
        try? files.removeItem(atPath: file)
        try files.linkItem(atPath: links[number], toPath: file)
      }
      try write(sound[number], to: file)
    }
  }

  private func identity(of file: String) throws -> FileIdentity? { try FileIdentity(ofFileAt: file) }

  private func write(_ bytes: [UInt8], to file: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: UInt64(bytes.count))
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  func run(_ arguments: [String]) throws -> Outcome {
    let directory = try TemporaryDirectory()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    for name in ["output", "errors"] {
      _ = FileManager.default.createFile(atPath: directory.path(name), contents: nil)
    }
    process.standardOutput = FileHandle(forWritingAtPath: directory.path("output"))
    process.standardError = FileHandle(forWritingAtPath: directory.path("errors"))
    try process.run()
    process.waitUntilExit()
    let isExit = process.terminationReason == .exit
    return Outcome(
      status: isExit ? process.terminationStatus : -1, signal: isExit ? 0 : process.terminationStatus,
      output: try String(contentsOfFile: directory.path("output"), encoding: .utf8),
      errors: try String(contentsOfFile: directory.path("errors"), encoding: .utf8))
  }
}
