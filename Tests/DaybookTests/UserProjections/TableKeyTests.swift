import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The keys of typed tables sort as their Swift values do, and are read back.
@Suite(.hangLimit) struct TableKeyTests {
  private func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.lexicographicallyPrecedes(b) }

  /// Checks the order of the bytes of each two keys, and the way back.
  private func check<Key: TableKey & Equatable>(
    _ keys: [Key], _ isLess: (Key, Key) -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = try keys.map { try $0.keyBytes() }
    for (a, first) in zip(keys, bytes) {
      #expect(try Key(keyBytes: first) == a, sourceLocation: sourceLocation)
      for (b, second) in zip(keys, bytes) where precedes(first, second) != isLess(a, b) {
        Issue.record("\(a) and \(b) do not sort as their values do", sourceLocation: sourceLocation)
      }
    }
  }

  @Test func numbersSortAsInSwift() throws {
    try check([Int.min, -256, -1, 0, 1, 255, 256, Int.max], <)
    try check([Int8.min, -1, 0, 1, Int8.max], <)
    try check([UInt8.min, 1, 127, 128, UInt8.max], <)
    try check([-Double.infinity, -1e300, -1.5, -0.0, 0, .leastNonzeroMagnitude, 1.5, 1e300, .infinity], <)
    let decimals: [Decimal] = ["-10.5", "-10", "-0.001", "0", "0.001", "0.01", "9.99", "10", "123456789.25"].compactMap
    {
      Decimal(string: $0)
    }
    try check(decimals, <)
    try check([false, true]) { !$0 && $1 }
  }

  @Test func otherValuesSortByTheirBytes() throws {
    let texts = ["", "\0", "\0\u{1}", "a", "a\0", "a\0b", "aa", "b", "é", "z", "\u{10000}"]
    try check(texts) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    try check(texts.map { Data($0.utf8) }) { $0.lexicographicallyPrecedes($1) }
    try check([nil, "", "a"] as [String?]) { a, b in a == nil ? b != nil : b.map { a! < $0 } ?? false }
    try check((0..<4).map { ObjectID(high: UInt64($0) << 62, low: UInt64($0)) }, <)
    try check([-1, 0, 1].map { Timestamp(microseconds: $0) }) { $0.microseconds < $1.microseconds }
    try check([-86_400, 0, 0.5].map { Date(timeIntervalSince1970: $0) }, <)
  }

  @Test func randomKeysOfSeveralValuesSortAsTheirValuesDo() throws {
    try Seeds.run(Rounds.of(20, "DAYBOOK_KEYS")) { seed in
      var random = SeededRandom(seed: seed)
      func text() -> String {
        let letters: [Character] = ["\0", "\u{1}", "a", "b", "ÿ", "\u{10FFFF}"]
        return String((0..<random.number(0...4)).map { _ in random.pick(letters) })
      }
      let keys = (0..<60).map { _ in
        LedgerProjection.AuthorName(author: random.isTrue(percent: 20) ? nil : text(), name: text())
      }
      let sorted = try keys.map { ($0, try $0.keyBytes()) }.sorted { precedes($0.1, $1.1) }.map(\.0)
      guard sorted == keys.sorted() else { throw Mismatch("\(keys) sort as \(sorted)") }
      let numbers = (0..<60).map { _ in Int64(bitPattern: random.next()) >> Int64(random.number(0...63)) }
      let read = try numbers.map { try $0.keyBytes() }.sorted(by: precedes).map { try Int64(keyBytes: $0) }
      guard read == numbers.sorted() else { throw Mismatch("\(numbers)") }
      let doubles = (0..<60).map { _ in Double(bitPattern: random.next()) }.filter { !$0.isNaN }
      let others = try doubles.map { try $0.keyBytes() }.sorted(by: precedes).map { try Double(keyBytes: $0) }
      guard others == doubles.sorted() else { throw Mismatch("\(doubles)") }
    }
  }

  @Test func bytesOfNoKeyAreRefused() throws {
    for bytes in [[], [2], [1, 97], [1, 97, 0, 7], [1, 0, 0, 0], [1, 255, 0, 0]] as [[UInt8]] {
      #expect(throws: StoreError.self, "\(bytes)") { try String(keyBytes: bytes) }
    }
    #expect(throws: StoreError.self) { try Int(keyBytes: [0]) }
    #expect(throws: StoreError.self) { try Int8(keyBytes: 1_000.keyBytes()) }
    #expect(throws: StoreError.self) { try Decimal(keyBytes: [1, 2, 200, 0, 5, 0]) }
    #expect(throws: StoreError.self) { try Double.nan.keyBytes() }
    #expect(throws: StoreError.self) { try LedgerProjection.AuthorName(keyBytes: "a".keyBytes()) }
  }

  @Test func valuesAreReadBack() throws {
    func check<Content: AttributeValue & Equatable>(_ value: Content) throws {
      #expect(try Content(rowBytes: value.rowBytes(), in: "t") == value)
    }
    try check(-7)
    try check(2.5)
    try check("é\0")
    try check(true)
    try check(Decimal(string: "-12.50") ?? 0)
    try check(Data([0, 255]))
    try check([1, 2, 3] as [UInt8])
    try check(Date(timeIntervalSince1970: 1.5))
    try check(UUID())
    try check(LedgerProjection.Count(times: 3, last: "emma"))
    try check(["a", "b"])
    #expect(try 7.rowBytes() == ProjectionKey.bytes(of: 7))
    #expect(throws: StoreError.self) { try (nil as Int?).rowBytes() }
    for bytes in [[], [1], [UInt8](repeating: 0, count: 9)] as [[UInt8]] {
      #expect(throws: StoreError.self) { try Int(rowBytes: bytes, in: "t") }
      #expect(throws: StoreError.self) { try LedgerProjection.Count(rowBytes: bytes, in: "t") }
    }
  }
}
