import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookEngine

@Suite(.hangLimit) struct SortedKeyBufferTests {
  @Test func theOrderIsThatOfTheKeys() throws {
    var random = SeededRandom(seed: 71)
    for round in 0..<200 {
      // Few different bytes, so that many keys are equal or prefixes of others; some share more than eight bytes.
      let head = [UInt8](repeating: 7, count: Int.random(in: 0...12, using: &random))
      // Many keys are sorted by their digits, few by comparing them.
      let limit = round % 4 == 0 ? 2_000 : 40
      let keys = (0..<Int.random(in: 0...limit, using: &random)).map { _ in
        head + (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
      }
      var buffer = SortedKeyBuffer()
      for key in keys { buffer.add { $0 += key } }
      let ordered = try buffer.sortedOrder().map { Array(buffer[$0]) }
      #expect(ordered == keys.sorted { compareBytes($0.rawSpan, $1.rawSpan) < 0 }, "round \(round)")
      #expect(buffer.count == keys.count)
      for (index, key) in keys.enumerated() {
        #expect(buffer.key(index, begins: head) && Array(buffer[index]) == key)
      }
    }
  }
}
