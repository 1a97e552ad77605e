import DaybookTestSupport
import Foundation
import Testing

/// What the README shows is what is compiled and run.
@Suite struct ReadmeTests {
  private static func text(_ path: String) throws -> String {
    let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
  }

  @Test func theSwiftExampleIsTheProgramThatIsBuilt() throws {
    let readme = try Self.text("../README.md")
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(blocks == [try Self.text("ReadmeExample/main.swift")])
  }

  @Test func theSwiftExampleDoesWhatItSays() throws {
    let directory = try TemporaryDirectory()
    // The program lies beside the command.
    let run = try shell("cd '\(directory.path)' && \"$(dirname \"$DAYBOOK\")/ReadmeExample\"")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("Dessert [") && run.output.contains("Chocolate cake"), "\(run.output)")
    let log = try CommandRun(["log", directory.path("recipes.daybook"), "--jsonl"])
    #expect(log.lines.count == 3)
    #expect(log.output.contains(#""author": "editor""#))
    #expect(try CommandRun(["verify", directory.path("recipes.daybook")]).status == 0)
  }

  /// The commands of the README, on the model that the README's Swift code has.
  @Test func theCommandsOfTheReadmeWork() throws {
    let kitchen = try Kitchen()
    let readme = try Self.text("../README.md")
    let start = try #require(readme.range(of: "daybook init recipes.daybook"))
    let commands = readme[start.lowerBound...].components(separatedBy: "```")[0]
    let script = """
      set -e
      cd '\(kitchen.directory.path)'
      cp model.json recipes.json
      daybook() { "$DAYBOOK" "$@"; }
      \(commands)
      """
    let run = try shell(script)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    #expect(run.output.contains("Cake"))
  }
}
