import DaybookTestSupport
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct JSONFuzzTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    var random = SeededRandom(seed: Seeds.one)
    for _ in 0..<2_000 {
      let value = randomJSON(using: &random, depth: 5)
      for text in [value.text, value.prettyText] {
        #expect(try JSONValue(parsing: text) == value, "seed \(random.seed)")
      }
      let canonical = value.canonicalBytes
      #expect(try JSONValue(parsing: canonical).canonicalBytes == canonical, "seed \(random.seed)")
    }
  }

  @Test func anyBytesAreReadOrRefused() {
    var random = SeededRandom(seed: Seeds.one)
    let alphabet = Array("{}[]\",:\\u0123dD8cC.eE+-truefalsn \n".utf8) + [0xc3, 0xa9, 0xff, 0]
    for _ in 0..<20_000 {
      var bytes: [UInt8]
      if random.isOneIn(2) {
        bytes = (0..<Int.random(in: 0..<30, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
      } else {
        bytes = Array(randomJSON(using: &random, depth: 4).text.utf8)
        mutate(&bytes, alphabet, using: &random)
      }
      // Accepted text must be written as text that is accepted and has the same value.
      guard let value = try? JSONValue(parsing: bytes) else { continue }
      #expect((try? JSONValue(parsing: value.text)) == value, "seed \(random.seed)")
    }
  }

  private func mutate(_ bytes: inout [UInt8], _ alphabet: [UInt8], using random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1..<4, using: &random) where !bytes.isEmpty {
      let place = bytes.indices.randomElement(using: &random)!
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(alphabet.randomElement(using: &random)!, at: place)
      case 2: bytes.removeSubrange(place...)
      default: bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
    }
  }
}

/// Returns a random JSON value with distinct keys.
func randomJSON(using random: inout SeededRandom, depth: Int) -> JSONValue {
  switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
  case 0: return .null
  case 1: return .boolean(random.isOneIn(2))
  case 2: return .integer(random.integer())
  case 3:
    let number = Double(bitPattern: random.next())
    return .number(number.isFinite ? number : 0.5)
  case 4: return .literal("1234567890123456789\(UInt32.random(in: 0...9, using: &random))1.25e-7")
  case 5: return .string(random.text())
  case 6:
    return .array(
      (0..<4).prefix(Int.random(in: 0...4, using: &random)).map { _ in randomJSON(using: &random, depth: depth - 1) })
  default:
    let keys = Set((0..<Int.random(in: 0..<12, using: &random)).map { _ in Array(random.text().utf8) })
    return .object(
      keys.sorted { $0.lexicographicallyPrecedes($1) }.map {
        (key: String(decoding: $0, as: UTF8.self), value: randomJSON(using: &random, depth: depth - 2))
      })
  }
}
