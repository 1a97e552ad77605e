import DaybookTestSupport
import DecoderChecks
import Foundation
import Testing

/// The decoders on the fuzzer's corpus, unchanged and with some bytes changed.
@Suite(.hangLimit) struct CorpusTests {
  @Test(arguments: DecoderCheck.allCases) func theCorpusIsReadAndWrittenAgain(check: DecoderCheck) throws {
    let files = try CorpusTests.files(of: check)
    #expect(!files.isEmpty)
    var takenCount = 0
    for bytes in files where try check.run(bytes) { takenCount += 1 }
    #expect(takenCount > 0, "a corpus of which nothing is taken tests nothing but refusals")
  }

  @Test(arguments: DecoderCheck.allCases) func aChangedCorpusNeverTraps(check: DecoderCheck) throws {
    try Seeds.run(1) { seed in
      var random = SeededRandom(seed: seed)
      for bytes in try CorpusTests.files(of: check) {
        for _ in 0..<100 { try check.run(CorpusTests.changed(bytes, &random)) }
      }
    }
  }

  private static func files(of check: DecoderCheck) throws -> [[UInt8]] {
    var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let folder = root.appendingPathComponent("Tools/Fuzz/Corpus/\(check.rawValue)")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    return try files.sorted { $0.path < $1.path }.map { [UInt8](try Data(contentsOf: $0)) }
  }

  private static func changed(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.number(1...4) {
      let place = random.number(0...bytes.count)
      switch random.number(0...3) {
      case 0: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      case 1 where place < bytes.count: bytes[place] ^= 1 << random.number(0...7)
      case 2 where place < bytes.count: bytes.remove(at: place)
      case 3: bytes.removeLast(bytes.count - place)
      default: bytes += bytes.prefix(place)
      }
    }
    return bytes
  }
}
