import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Writers are killed at random moments and between the commits of the two environments.
///
/// No acknowledged commit may be missing, and the store must be intact.
@Suite(.hangLimit) struct CrashTests {
  /// The number of kills; `DAYBOOK_KILLS` overrides it.
  private let killCount = Rounds.of(300, "DAYBOOK_KILLS")

  @Test func killedWritersLoseNothingThatTheyAcknowledged() throws {
    let seed = Seeds.one
    do {
      var run = try CrashRun(seed: seed)
      while run.killCount < killCount { try run.round() }
      try run.verify()
      #expect(run.acknowledgedCount > 0)
      #expect(run.imageCount > 0)
      #expect(run.killsAtProbes > 0)
    } catch {
      throw SeedFailure(seed: seed, error: error)
    }
  }
}

/// A store whose writers are killed repeatedly.
struct CrashRun {
  /// Notes with tags and images, an index and a constraint over them.
  static let model = Model(entities: [
    Entity(
      name: "Note", nameAttribute: "title",
      attributes: [
        Attribute(name: "title", type: .string), Attribute(name: "size", type: .integer),
        Attribute(name: "image", type: .data, isOptional: true),
      ],
      relationships: [Relationship(name: "tag", target: "Tag", inverse: "notes", isOptional: true)],
      unique: [["title"]], indexes: [Index([SortTerm(path: ["tag", "name"]), SortTerm(path: ["size"], .descending)])]),
    Entity(
      name: "Tag", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "count", type: nil, derivation: .count(relationship: "notes")),
      ],
      relationships: [Relationship(name: "notes", target: "Note", inverse: "tag", isMany: true)]),
  ])

  private let directory: TemporaryDirectory
  private let path: String
  private var random: SeededRandom
  /// For each writer the first unacknowledged commit, and the acknowledged positions.
  private var next: [UInt64: UInt64] = [1: 0, 2: 0, 3: 0, 4: 0]
  private var acknowledged: [ObjectID: Position] = [:]
  private(set) var imageCount = 0
  private var rounds = 0
  private(set) var killCount = 0
  private(set) var killsAtProbes = 0

  var acknowledgedCount: Int { acknowledged.count }

  init(seed: UInt64) throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    random = SeededRandom(seed: seed)
    let store = try Store(at: path, model: CrashRun.model)
    try store.write { try $0.insert("Tag", ["name": "all"]) }
    store.close()
  }

  /// Starts one to four writers, kills them, and checks the commits that they acknowledged.
  mutating func round() throws {
    rounds += 1
    let writers = next.keys.sorted().prefix(random.number(1...4)).map { KilledWriter(seed: $0, first: next[$0] ?? 0) }
    let durability = random.isTrue(percent: 70) ? "full" : "relaxed"
    for writer in writers {
      let probe = random.isTrue(percent: 40) ? random.pick(WriteProbe.ofCommits).rawValue : "none"
      if probe != "none" { killsAtProbes += 1 }
      try writer.start(
        path, durability: durability, mode: random.isTrue(percent: 30) ? "batch" : "one", probe: probe,
        count: random.number(1...8))
    }
    // On a busy machine a process may need longer than that for its first commit.
    if random.isTrue(percent: 70) { random.pick(writers).waitForOutput() }
    Thread.sleep(forTimeInterval: Double(random.number(0...60)) / 1_000)
    var written: [(seed: UInt64, number: UInt64, position: Position)] = []
    for writer in writers {
      for (number, position) in try writer.kill() {
        acknowledged[ObjectID(high: writer.seed, low: number)] = position
        written.append((writer.seed, number, position))
        next[writer.seed] = max(next[writer.seed] ?? 0, number + 1)
      }
      killCount += 1
    }
    try lookForAcknowledged(written)
    if rounds % 20 == 0 { try verify() }
  }

  /// - Parameter written: The commits that the writers of this round acknowledged.
  private mutating func lookForAcknowledged(
    _ written: [(seed: UInt64, number: UInt64, position: Position)]
  ) throws {
    let store = try Store(at: path)
    defer { store.close() }
    let last = acknowledged.values.max() ?? .empty
    #expect(try store.position >= last)
    // A store that opens must accept a write: no lock of a killed writer may remain. If one did, this would hang.
    try store.write { try $0.insert("Note", ["title": .string("round \(rounds)"), "size": 0]) }
    for commit in written {
      guard let wanted = CrashImage.bytes(seed: commit.seed, number: commit.number) else { continue }
      imageCount += 1
      let note = ObjectID(high: commit.seed, low: 1 << 63 | commit.number)
      let image = try store.at(commit.position).get(note)?["image"]
      #expect(image?.isLarge == true)
      #expect(try image?.data() == wanted, "commit \(commit)")
    }
  }

  /// Checks that every acknowledged commit exists once at its position in a valid store.
  ///
  /// Positions have no gap, and every row is the result of the journal. Of commits that were not acknowledged the large
  /// values are there with the commits, or not at all: the verification would note values that no event refers to.
  func verify() throws {
    let verification = try Store.verify(at: path)
    #expect(verification.faults.isEmpty, "\(verification.faults.prefix(5))")
    #expect(verification.notes.isEmpty, "\(verification.notes)")
    let store = try Store(at: path)
    defer { store.close() }
    var seen: [ObjectID: Position] = [:]
    var expected = Position(1)
    try store.read { reader in
      try reader.journal.forEachCommit(from: 1, through: nil) { commit in
        #expect(commit.header.position == expected)
        expected = expected.next
        if let id = commit.header.commitID { #expect(seen.updateValue(commit.header.position, forKey: id) == nil) }
        return true
      }
    }
    for (id, position) in acknowledged { #expect(seen[id] == position) }
  }
}

/// A writer in its own process.
final class KilledWriter {
  let seed: UInt64
  private let first: UInt64
  private let process = Process()
  private let output = Pipe()

  init(seed: UInt64, first: UInt64) {
    self.seed = seed
    self.first = first
  }

  func start(
    _ path: String, durability: String, mode: String, probe: String, count: Int, projections: String = "none"
  ) throws {
    process.executableURL = try BuiltProduct.url("CrashWriter")
    process.arguments = [path, "\(seed)", "\(first)", durability, mode, probe, "\(count)", projections]
    process.standardOutput = output
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    try process.run()
  }

  var isRunning: Bool { process.isRunning }
  var processIdentifier: Int32 { process.processIdentifier }

  /// Waits for the first acknowledged commit, or for the writer's end.
  func waitForOutput() {
    var request = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, -1) < 0 {}
  }

  /// Whether a signal ended the process, its own or the one from ``end()``.
  var endedBySignal: Bool { !process.isRunning && process.terminationReason == .uncaughtSignal }

  /// Kills the process, unless it has killed itself.
  ///
  /// - Returns: The number and the position of each acknowledged commit.
  func kill() throws -> [(UInt64, Position)] {
    let acknowledged = try end()
    #expect(
      process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL,
      "a writer ended by itself: \(process.terminationStatus)")
    return acknowledged
  }

  /// Kills the process like ``kill()``, but accepts that the writer ended with an error.
  func end() throws -> [(UInt64, Position)] {
    if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    // The last line may be cut; then its commit was not acknowledged.
    return String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .compactMap { line in
        let words = line.split(separator: " ").compactMap { UInt64($0) }
        return words.count == 2 ? (words[1], Position(words[0])) : nil
      }
  }
}
