import DaybookTestSupport
import Testing

@testable import DaybookGit

@Suite(.hangLimit) struct PathTextTests {
  @Test func textStaysAsItIs() {
    for text in ["", "a", "Ünïcödé", "e\u{301}", "日本", "🙂", "\u{10FF7F}", "\u{FFFD}", "\u{10FEFF}"] {
      #expect(Array(PathText.encode(Array(text.utf8)).utf8) == Array(text.utf8))
      #expect(PathText.decode(text) == Array(text.utf8))
    }
  }

  @Test func eachInvalidByteIsAnEscape() {
    #expect(scalars([0x63, 0xE9]) == [0x63, 0x10FFE9])
    #expect(scalars([0xE2, 0x82, 0x41]) == [0x10FFE2, 0x10FF82, 0x41])
    #expect(scalars([0x80, 0xFF]) == [0x10FF80, 0x10FFFF])
    // A surrogate, an overlong slash, and a value beyond Unicode.
    #expect(scalars([0xED, 0xA0, 0x80]) == [0x10FFED, 0x10FFA0, 0x10FF80])
    #expect(scalars([0xC0, 0xAF]) == [0x10FFC0, 0x10FFAF])
    #expect(scalars([0xF4, 0x90, 0x80, 0x80]) == [0x10FFF4, 0x10FF90, 0x10FF80, 0x10FF80])
  }

  @Test func aGenuineEscapeIsEscapedByteByByte() {
    #expect(scalars(Array("\u{10FF80}".utf8)) == [0x10FFF4, 0x10FF8F, 0x10FFBE, 0x10FF80])
    #expect(scalars(Array("\u{10FFFF}".utf8)) == [0x10FFF4, 0x10FF8F, 0x10FFBF, 0x10FFBF])
  }

  @Test func everyShortByteStringComesBack() {
    for first in UInt8.min...UInt8.max {
      expectRoundTrip([first])
      for second in UInt8.min...UInt8.max { expectRoundTrip([first, second]) }
    }
  }

  @Test func everyStringOfBoundaryBytesComesBack() {
    let bytes: [UInt8] = [
      0x41, 0x7F, 0x80, 0x8F, 0x90, 0xBD, 0xBE, 0xBF, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF,
    ]
    for first in bytes {
      for second in bytes {
        for third in bytes {
          expectRoundTrip([first, second, third])
          for fourth in bytes { expectRoundTrip([first, second, third, fourth]) }
        }
      }
    }
  }

  @Test func randomBytesComeBack() {
    var random = SeededRandom(seed: Seeds.one)
    let escape = Array("\u{10FFC3}".utf8)
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        if random.isTrue(percent: 20) {
          bytes += escape
        } else {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        }
      }
      expectRoundTrip(bytes, "seed \(random.seed)")
    }
  }

  @Test func differentBytesHaveDifferentTexts() {
    var seen: Set<[UInt8]> = []
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max { seen.insert(Array(PathText.encode([first, second]).utf8)) }
    }
    #expect(seen.count == 65536)
  }

  private func scalars(_ bytes: [UInt8]) -> [UInt32] {
    PathText.encode(bytes).unicodeScalars.map(\.value)
  }

  private func expectRoundTrip(_ bytes: [UInt8], _ comment: Comment? = nil) {
    let decoded = PathText.decode(PathText.encode(bytes))
    // Not always `#expect`, which takes a thousand times as long as the comparison.
    if decoded != bytes { #expect(decoded == bytes, comment) }
  }
}
