#if Command

import DaybookTestSupport
import Foundation
import Testing

/// The code of the README is compiled and run; its commands and the commands of an article are run on the store that it makes.
@Suite(.hangLimit) struct ReadmeTests {
  private static func text(_ path: String) throws -> String {
    let tests = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
  }

  private static func swiftBlocks() throws -> [String] {
    let parts = try text("../README.md").components(separatedBy: "```swift\n").dropFirst()
    return parts.map { $0.components(separatedBy: "```")[0] }
  }

  @Test func theSwiftExampleIsTheProgramThatIsBuilt() throws {
    let blocks = try Self.swiftBlocks()
    try #require(blocks.count == 2)
    #expect("#if Macros\n\n\(blocks[0])\n#endif\n" == (try Self.text("ReadmeExample/main.swift")))
  }

  /// The package manager reads the README's manifest, which names an existing product.
  @Test func theManifestOfTheReadmeIsOne() throws {
    let directory = try TemporaryDirectory()
    let manifest = try #require(try Self.swiftBlocks().last).replacing("// kitchen/Package.swift\n", with: "")
    try Data(manifest.utf8).write(to: URL(filePath: directory.path("Package.swift")))
    let run = try shell("swift package --package-path '\(directory.path)' dump-package")
    #expect(run.status == 0, "\(run.errors)")
    let package = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let dependencies = try #require(package["dependencies"] as? [[String: Any]])
    #expect(dependencies.count == 1)
    #expect(run.output.contains(#""DaybookMacros""#))
    #expect(try Self.text("../Package.swift").contains(#".library(name: "DaybookMacros""#))
  }

  @Test func theSwiftExampleDoesWhatItSays() throws {
    let directory = try TemporaryDirectory()
    let lines = try Self.runExample(in: directory).split(separator: "\n")
    try #require(lines.count == 3)
    #expect(lines[0] == #"Dessert ["Cake"]"#)
    #expect(lines[1] == "position 3: new → [0, 0] Apple pie")
    #expect(lines[2] == "position 3: [0, 0] → [0, 1] Chocolate cake")
    let log = try CommandRun(["log", directory.path("recipes.daybook"), "--jsonl"])
    #expect(log.lines.count == 3)
    #expect(log.output.contains(#""author": "chef""#))
    #expect(try CommandRun(["verify", directory.path("recipes.daybook")]).status == 0)
  }

  /// The README shows the output that the example prints.
  @Test func theOutputOfTheReadmeIsThatOfTheExample() throws {
    let readme = try Self.text("../README.md")
    let shown = readme.components(separatedBy: "```\n\n```\n")[1].components(separatedBy: "```")[0]
    let printed = try Self.runExample(in: try TemporaryDirectory())
    #expect(printed == shown)
  }

  @Test func theCommandsOfTheReadmeWork() throws {
    let output = try Self.runCommands(of: "../README.md", in: try TemporaryDirectory())
    #expect(output.contains("Chocolate cake") && output.contains("chef"))
  }

  @Test func theCommandsOfTheArticleWork() throws {
    let directory = try TemporaryDirectory()
    let output = try Self.runCommands(of: "../Sources/Daybook/Daybook.docc/OnTheCommandLine.md", in: directory)
    #expect(output.contains("Chocolate cake") && output.contains("Pancakes") == false)
    #expect(try CommandRun(["fetch", directory.path("recipes.daybook"), "Recipe"]).output.contains("Pancakes"))
    #expect(try CommandRun(["fetch", directory.path("empty.daybook"), "Recipe"]).status == 0)
  }

  /// The article shows a model file, of which a store is made.
  @Test func theModelFileOfTheArticleIsOne() throws {
    let page = try Self.text("../Sources/Daybook/Daybook.docc/OnTheCommandLine.md")
    let json = try #require(page.components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
    let directory = try TemporaryDirectory()
    let (file, store) = (directory.path("model.json"), directory.path("store"))
    try Data(json.utf8).write(to: URL(filePath: file))
    #expect(try CommandRun(["init", store, "--model", file]).status == 0)
    #expect(try CommandRun(["insert", store, "Recipe", "name=Cake"]).status == 0)
    let printed = try CommandRun(["model", store, "--json"]).output
    for word in ["byType", "RecipeCooked", "servings < 100", "maximumLength"] { #expect(printed.contains(word)) }
  }

  /// Runs the commands of a page on the store that the README's Swift code creates, and returns what they print.
  private static func runCommands(of path: String, in directory: TemporaryDirectory) throws -> String {
    _ = try runExample(in: directory)
    let page = try text(path)
    let start = try #require(page.range(of: "daybook fetch recipes.daybook"))
    let commands = page[start.lowerBound...].components(separatedBy: "```")[0]
    let script = """
      set -e
      cd '\(directory.path)'
      daybook() { "$DAYBOOK" "$@"; }
      \(commands)
      """
    let run = try shell(script)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return run.output
  }

  /// Runs the program, which is beside the command.
  private static func runExample(in directory: TemporaryDirectory) throws -> String {
    let run = try shell("cd '\(directory.path)' && \"$(dirname \"$DAYBOOK\")/ReadmeExample\"")
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }
}

#endif
