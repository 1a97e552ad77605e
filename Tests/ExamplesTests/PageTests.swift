import Foundation
import Testing

/// The pages show the code of the applications, which stay small.
@Suite(.hangLimit) struct PageTests {
  private static let applications = ["First", "Todo", "Recipes", "Topics", "Events"]
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The “Daybook” side of a page equals one file of the application, line by line.
  @Test(arguments: applications) func theCodeOfThePageIsThatOfTheApplication(_ name: String) throws {
    let file = name == "First" ? "FirstCoreData" : name
    let page = try text("Sources/Daybook/Daybook.docc/Examples/\(file).md")
    #expect(page.hasPrefix("# "))
    let sources = try Self.sources(of: name).map { Self.lines(try String(contentsOf: $0, encoding: .utf8)) }
    let columns = page.components(separatedBy: "**Daybook**").dropFirst().map {
      $0.components(separatedBy: "**Core Data**")[0]
    }
    #expect(columns.count >= 3)
    #expect(page.components(separatedBy: "**Core Data**").count == columns.count + 1)
    for column in columns {
      let blocks = column.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
      #expect(blocks.count == 1, "each way is one block of code: \(column)")
      for block in blocks {
        let wanted = Self.lines(block)
        #expect(!wanted.isEmpty && sources.contains { Self.contains($0, wanted) }, "not in \(name):\n\(block)")
      }
    }
  }

  @Test(arguments: applications) func anApplicationHasLessThan300LinesOfSwift(_ name: String) throws {
    #expect((1..<300).contains(try Self.codeLines(of: Self.sources(of: name))))
  }

  @Test(arguments: applications) func aPageHasLessThan250Lines(_ name: String) throws {
    #expect((1..<250).contains(try Self.codeLines(of: Self.files(in: "\(name)/Page"))))
  }

  /// Returns the number of lines that are neither empty nor a comment.
  private static func codeLines(of files: [URL]) throws -> Int {
    try files.flatMap { lines(try String(contentsOf: $0, encoding: .utf8)) }.count { !$0.hasPrefix("//") }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  private static func sources(of name: String) throws -> [URL] {
    try files(in: name).filter { $0.pathExtension == "swift" }
  }

  private static func files(in folder: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: "Examples/\(folder)"), includingPropertiesForKeys: nil)
  }

  /// Returns the lines without their indentation, which differs between places.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func contains(_ lines: [String], _ part: [String]) -> Bool {
    guard part.count <= lines.count else { return false }
    return (0...(lines.count - part.count)).contains { Array(lines[$0..<($0 + part.count)]) == part }
  }
}
