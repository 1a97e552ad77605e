import Crypto
import DaybookEngine
import Foundation
import Testing

@testable import DaybookGit

/// A real history of 496 commits, and the output of `git ls-tree -r` for each.
enum SampleHistory {
  /// The expected tree after a commit, from git.
  struct Expectation {
    let hash: String
    let count: Int
    let pathDigest: String
    let entryDigest: String
  }

  static func stream() throws -> [UInt8] { try data("small.fast-export") }

  /// Returns the stream with contents, from which git makes a repository; each is its blob's former hash.
  ///
  /// So a path has changed in a commit if it changed in the commit of the real history.
  static func streamWithContents() throws -> [UInt8] {
    var (output, rest) = ([UInt8](), try stream()[...])
    while let end = rest.firstIndex(of: 10) {
      let fields = rest[..<end].split(separator: 32, maxSplits: 3).map { String(decoding: $0, as: UTF8.self) }
      if fields.count == 4, fields[0] == "M", fields[1] != "160000" {
        output += Array("M \(fields[1]) inline \(fields[3])\ndata \(fields[2].utf8.count)\n\(fields[2])\n".utf8)
        rest = rest[(end + 1)...]
        continue
      }
      let size = fields.first == "data" ? try #require(Int(fields[1])) : 0
      output += rest[...(end + size)]
      rest = rest[(end + size + 1)...]
    }
    return output
  }

  static func expectations() throws -> [Expectation] {
    let text = String(decoding: try data("small.oracle.tsv"), as: UTF8.self)
    return try text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t").map(String.init)
      return Expectation(
        hash: fields[1], count: try #require(Int(fields[2])), pathDigest: fields[3], entryDigest: fields[4])
    }
  }

  private static func data(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("Data/\(name)")))
  }
}

/// Returns the digest in hexadecimal digits.
func sha256(_ bytes: [UInt8]) -> String {
  SHA256.hash(data: bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
