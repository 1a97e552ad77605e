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

  /// Expects each block in one of the sources beside this file, or in the README.
  ///
  /// `ReadmeTests` runs the code of the README.
  ///
  /// - Parameter separator: The start of a line at which a block continues with code from elsewhere in the sources.
  func expectCode(separator: String? = nil) throws {
    let sources = try Self.sources()
    for block in blocks {
      for part in Self.parts(of: block, separator) {
        let wanted = Self.lines(part)
        #expect(!wanted.isEmpty)
        #expect(sources.contains { Self.contains($0, wanted) }, "this is not in the tests:\n\(part)")
      }
    }
  }

  private static func parts(of block: String, _ separator: String?) -> [String] {
    guard let separator, let range = block.range(of: "\n" + separator) else { return [block] }
    return [String(block[..<range.lowerBound]), String(block[range.lowerBound...])]
  }

  private static let directory = URL(filePath: #filePath).deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: directory.appending(path: "../../../\(path)"), encoding: .utf8)
  }

  private static func sources() throws -> [[String]] {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".swift") }
    return try files.map { try lines(text("Tests/DaybookMacrosTests/Guide/\($0)")) } + [lines(text("README.md"))]
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
