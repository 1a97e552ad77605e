#if Command

import Crypto
import DaybookEngine
import DaybookTestSupport
import Foundation
import Testing

/// Tests `import git` and `tree`, on a real history of 496 commits.
@Suite(.hangLimit) struct GitImportCommandTests {
  private let directory: TemporaryDirectory
  private var store: String { directory.path("history") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// The path of a file of the sample history, which the importer's tests contain.
  private static func sample(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("DaybookGitTests/Data/\(name)").path
  }

  private static let stream = sample("small.fast-export")

  /// Returns the expected tree after the last commit: count, digests of paths and entries.
  private static func lastExpectation() throws -> [Substring] {
    let text = try String(contentsOfFile: sample("small.oracle.tsv"), encoding: .utf8)
    return try #require(text.split(separator: "\n").last).split(separator: "\t")
  }

  /// Runs the command and returns its output as bytes, because names need not be UTF-8.
  private func bytes(_ arguments: String) throws -> Data {
    let path = directory.path("output")
    let run = try shell("\"$DAYBOOK\" \(arguments) > '\(path)'")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  private func digest(_ data: Data) -> String {
    SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test func theStoreHasTheTreeThatGitSays() throws {
    let run = try CommandRun(["import", "git", store, "--stream", Self.stream])
    #expect(run.status == 0 && run.output == "Imported 496 commits; the head is 497.\n", "\(run.errors)")
    let expected = try Self.lastExpectation()
    let paths = try bytes("tree '\(store)' --paths")
    #expect(paths.split(separator: 10).count == Int(expected[2]))
    #expect(digest(paths) == expected[3])
    #expect(digest(try bytes("tree '\(store)' --paths --show mode,blob")) == expected[4])
    // Each leaf, each folder and the root have a line in the drawing.
    let drawing = try bytes("tree '\(store)'").split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    #expect(drawing.count > paths.split(separator: 10).count)
    #expect(drawing.dropFirst().allSatisfy { $0.contains("├── ") || $0.contains("└── ") })
    #expect(try CommandRun(["verify", store]).status == 0)

    let again = try CommandRun(["import", "git", store, "--stream", Self.stream, "--json"])
    #expect(again.output == "{\"head\": 497, \"commits\": 0}\n", "\(again.errors)")
    let unknown = try CommandRun(["tree", store, "--show", "colour"])
    #expect(unknown.status == 1 && unknown.errors.contains("“colour”"))
  }

  @Test func aStreamThatIsCutLeavesTheCommitsBeforeTheCutAndCanGoOn() throws {
    let stream = try Data(contentsOf: URL(fileURLWithPath: Self.stream))
    let path = directory.path("cut")
    try stream.prefix(stream.count * 2 / 3).write(to: URL(fileURLWithPath: path))
    let run = try CommandRun(["import", "git", store, "--stream", path])
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("daybook: ") && run.errors.contains("line"), "\(run.errors)")
    let count = try CommandRun(["log", store, "--jsonl"]).lines.count
    #expect(count > 100 && count < 497)
    #expect(try CommandRun(["verify", store]).status == 0)
    let whole = try shell("\"$DAYBOOK\" import git '\(store)' --stream - < '\(Self.stream)'")
    #expect(whole.status == 0 && whole.output.hasSuffix("the head is 497.\n"), "\(whole.errors)")
    #expect(digest(try bytes("tree '\(store)' --paths")) == (try Self.lastExpectation())[3])
  }

  @Test func aStreamThatBreaksSaysHowManyCommitsWereImported() throws {
    func commit(_ number: Int) -> String {
      """
      commit refs/heads/main
      original-oid \(String(repeating: "\(number)", count: 40))
      committer C <c@example.org> \(1_000_000_000 + number) +0000
      data 1
      m
      M 100644 \(String(repeating: "b", count: 40)) file \(number)


      """
    }
    for (count, text) in [(1, "1 commit was"), (2, "2 commits were")] {
      let store = directory.path("broken \(count)")
      let stream = (1...count).map(commit).joined() + "nonsense\n"
      let run = try CommandRun(["import", "git", store, "--stream", "-"], input: stream)
      #expect(run.status == 1, "\(run.errors)")
      #expect(
        run.errors.hasSuffix("\(text) imported before the error; another import continues after the last one.\n"),
        "\(run.errors)")
      // The first commit is the model.
      #expect(try CommandRun(["log", store, "--jsonl"]).lines.count == count + 1)
    }
  }

  @Test(arguments: ["", "nonsense\n", "commit refs/heads/main\n"])
  func whatIsNoHistoryMakesNoStore(stream: String) throws {
    let run = try CommandRun(["import", "git", store, "--stream", "-"], input: stream)
    if stream.isEmpty {
      // A history without commits is valid.
      #expect([0, 1].contains(run.status), "\(run.errors)")
    } else {
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.errors.hasPrefix("daybook: "))
      #expect(!FileManager.default.fileExists(atPath: store))
    }
  }

  @Test func wrongSourcesAreRefused() throws {
    let missing = try CommandRun(["import", "git", store, "--stream", directory.path("nothing")])
    #expect(missing.status == 74 && missing.errors.contains(directory.path("nothing")))
    let plain = try CommandRun(["import", "git", store, directory.path])
    #expect(plain.status == 74 && plain.errors.contains(directory.path), "\(plain.errors)")
    #expect(try CommandRun(["import", "git", store, directory.path, "--stream", "-"]).status == 64)
    #expect(try CommandRun(["import", "git", store, "--stream", "-", "--branch", "main"]).status == 64)
    #expect(!FileManager.default.fileExists(atPath: store))
    let kitchen = try Kitchen(Kitchen.menu)
    let other = try CommandRun(["import", "git", kitchen.store, "--stream", Self.stream])
    #expect(other.status == 1 && other.errors.contains("another model"), "\(other.errors)")
    #expect(try CommandRun(["log", kitchen.store, "--jsonl"]).lines.count == 2)
  }

  /// The drawing of a deep chain has one line per level; stack and lines do not grow.
  @Test func aChainOf20000LevelsIsDrawn() throws {
    let depth = 20_000
    let model = directory.path("model.json")
    try """
    {"entities": [{"name": "Box", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}],
      "relationships": [
        {"name": "outer", "to": "Box", "inverse": "inner", "optional": true},
        {"name": "inner", "to": "Box", "many": true, "inverse": "outer", "onDelete": "cascade"},
        {"name": "things", "to": "Thing", "many": true, "inverse": "box", "onDelete": "cascade"}]},
     {"name": "Thing", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}],
      "relationships": [{"name": "box", "to": "Box", "inverse": "things"}]}]}
    """.write(toFile: model, atomically: false, encoding: .utf8)
    #expect(try CommandRun(["init", store, "--model", model]).status == 0)
    var lines = #"{"insert": "Box", "as": "$0", "values": {"name": "b"}}"# + "\n"
    for level in 1..<depth {
      lines +=
        #"{"insert": "Box", "as": "$\#(level)", "values": {"name": "b"}, "relate": {"outer": "$\#(level - 1)"}}"# + "\n"
    }
    lines += #"{"insert": "Thing", "values": {"name": "t"}, "relate": {"box": "$\#(depth - 1)"}}"# + "\n"
    let run = try CommandRun(["apply", store, "--batch", "100000"], input: lines)
    #expect(run.status == 0, "\(run.errors)")
    let drawing = try CommandRun(["tree", store])
    #expect(drawing.status == 0 && drawing.lines.count == depth + 1)
    #expect(drawing.output.utf8.count < (depth + 1) * 64 + 64 * 64 * 8)
    let paths = try CommandRun(["tree", store, "--paths"])
    #expect(paths.output == String(repeating: "b/", count: depth) + "t\n")
  }
}

#endif
