import Foundation
import Testing

/// The pages show the code of the applications, which stay small.
@Suite struct PageTests {
  private static let applications = ["Recipes", "Topics", "Events"]
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The “Daybook” side of a page equals one file of the application, line by line.
  @Test(arguments: applications) func theCodeOfThePageIsThatOfTheApplication(_ name: String) throws {
    let page = try text("Sources/Daybook/Daybook.docc/Examples/\(name).md")
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

  @Test(arguments: applications) func anApplicationHasLessThan200Lines(_ name: String) throws {
    let count = try Self.sources(of: name).map { try String(contentsOf: $0, encoding: .utf8) }
      .map { $0.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }.reduce(0, +)
    #expect((1..<200).contains(count))
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  private static func sources(of name: String) throws -> [URL] {
    let directory = root.appending(path: "Sources/Examples/\(name)")
    return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "swift" }
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
