import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime
@testable import DaybookTools

extension Store {
  /// Returns the hashes of all commits.
  func hashes() throws -> [Digest] {
    var hashes: [Digest] = []
    var log = try log()
    while let commit = try log.next() { hashes.append(commit.hash) }
    return hashes
  }
}

/// Imports bytes, in pieces of a given size.
@discardableResult
func importEvents(_ bytes: [UInt8], to path: String, pieceSize: Int = 1_000) throws -> Importer.Summary {
  var offset = 0
  var options = StoreOptions()
  options.durability = .relaxed
  return try Importer(to: path, options: options).run {
    guard offset < bytes.count else { return nil }
    defer { offset += pieceSize }
    return Array(bytes[offset..<min(offset + pieceSize, bytes.count)])
  }
}

func lines(_ bytes: [UInt8]) -> [[UInt8]] {
  bytes.split(separator: 0x0a).map { Array($0) }
}
