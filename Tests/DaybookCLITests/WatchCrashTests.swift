#if Command

import Daybook
import DaybookTestSupport
import Foundation
import Testing

/// Writers are killed while `watch` and `log --follow` run.
@Suite(.hangLimit) struct WatchCrashTests {
  private let directory: TemporaryDirectory
  private let path: String

  /// The number of kills; `DAYBOOK_KILLS` overrides it.
  private var killCount: Int {
    Rounds.given("DAYBOOK_KILLS") ?? 50
  }

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("store")
    let model = Model(entities: [
      Entity(
        name: "Note", nameAttribute: "title",
        attributes: [Attribute(name: "title", type: .string), Attribute(name: "size", type: .integer)],
        relationships: [Relationship(name: "tag", target: "Tag", inverse: "notes", isOptional: true)]),
      Entity(
        name: "Tag", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [Relationship(name: "notes", target: "Note", inverse: "tag", isMany: true)]),
    ])
    let store = try Store(at: path, model: model)
    try store.write { try $0.insert("Tag", ["name": "all"]) }
    store.close()
  }

  /// Writes with `CrashWriter`, and kills it at a random moment or at a probe.
  ///
  /// Probes also kill it between the commits of the journal and of the projections.
  ///
  /// - Returns: The number of the first commit that was not acknowledged.
  private func writeAndKill(from first: Int, _ random: inout SeededRandom) throws -> Int {
    let probe = random.isTrue(percent: 60) ? random.pick(WriteProbe.ofCommits).rawValue : "none"
    let writer = try RunningCommand(
      [path, "1", "\(first)", "full", random.isTrue(percent: 30) ? "batch" : "one", probe, "\(random.number(1...6))"],
      executable: CommandRun.executable.deletingLastPathComponent().appendingPathComponent("CrashWriter"),
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    Thread.sleep(forTimeInterval: Double(random.number(20...80)) / 1_000)
    writer.send(SIGKILL)
    let run = try writer.end()
    #expect(run.status == -SIGKILL, "\(run.errors)")
    // The last line may be cut; then its commit was not acknowledged.
    let acknowledged = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return try acknowledged.last.map { try #require(Int($0.split(separator: " ")[1])) + 1 } ?? first
  }

  @Test func nothingIsLostOrRepeatedWhenWritersAreKilled() throws {
    let seed = Seeds.one
    do {
      try run(seed: seed)
    } catch {
      throw SeedFailure(seed: seed, error: error)
    }
  }

  private func run(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let request = ["Note", "--section", "size", "--sort", "title:desc"]
    let watch = try RunningCommand(["watch", path] + request + ["--every-commit", "--jsonl", "--rows"])
    let log = try RunningCommand(["log", path, "--follow", "--jsonl", "--from", "3"])
    var state = try WatchedState(watch.json())
    #expect(state.position == 2)
    var next = 0
    for _ in 0..<killCount { next = try writeAndKill(from: next, &random) }
    #expect(next > 0)

    let end = try CommandRun(["insert", path, "Tag", "name=end", "--json"]).output
    let written = try JSONSerialization.jsonObject(with: Data(end.utf8)) as? [String: Any]
    let head = try #require(written?["position"] as? Int)
    // Every commit of the writer inserts a note, so each makes a difference; the last commit above makes none.
    for position in 3..<head {
      try state.apply(watch.json())
      #expect(state.position == position, "seed \(seed)")
    }
    let fresh = try CommandRun(["watch", path] + request + ["--jsonl", "--rows", "--count", "0"])
    let json = try JSONSerialization.jsonObject(with: Data(fresh.output.utf8)) as? [String: Any]
    #expect(try WatchedState(#require(json)).ids == state.ids, "seed \(seed)")
    for position in 3...head { #expect(try log.json()["position"] as? Int == position, "seed \(seed)") }
    for run in [watch, log] {
      run.send(SIGINT)
      let end = try run.end()
      #expect(end.status == 0 && end.output == "" && end.errors == "", "\(end), seed \(seed)")
    }
    #expect(try CommandRun(["verify", path]).status == 0)
  }
}

#endif
