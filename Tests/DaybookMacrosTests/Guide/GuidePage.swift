#if Macros

import Foundation
import Testing

/// A page whose Swift code equals code of the tests, line for line.
struct GuidePage {
  let blocks: [String]

  /// - Parameter path: The page, from the package's directory.
  init(_ path: String) throws {
    let parts = try Self.text(path).components(separatedBy: "```swift\n").dropFirst()
    blocks = parts.map { $0.components(separatedBy: "```")[0] }
  }

  /// Expects each block in one of the sources beside this file, in the README, which `ReadmeTests` runs, or in the code of a library
  /// that these tests do not link.
  func expectCode() throws {
    let sources = try Self.sources()
    for block in blocks {
      let wanted = Self.lines(block)
      #expect(!wanted.isEmpty)
      #expect(sources.contains { Self.contains($0, wanted) }, "this is not in the tests:\n\(block)")
    }
  }

  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: directory.appending(path: "../../../\(path)"), encoding: .utf8)
  }

  private static func sources() throws -> [[String]] {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".swift") }
    let others = [
      "README.md", "Tests/DaybookCollationTests/ArticleCode.swift", "Tests/DaybookJetStreamTests/ArticleCode.swift",
    ]
    return try (files.map { "Tests/DaybookMacrosTests/Guide/\($0)" } + others).map { try lines(text($0)) }
  }

  /// Returns the lines without their indentation, which differs between places.
  private static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  private static func contains(_ lines: [String], _ part: [String]) -> Bool {
    guard part.count <= lines.count else { return false }
    return (0...(lines.count - part.count)).contains { lines[$0..<($0 + part.count)].elementsEqual(part) }
  }
}

#endif
