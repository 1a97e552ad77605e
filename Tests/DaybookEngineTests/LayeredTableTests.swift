import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import DaybookEngine

/// A table below memory tables, compared with a sorted dictionary.
@Suite(.hangLimit) struct LayeredTableTests {
  /// What a layer has for a key.
  private enum Word: CaseIterable {
    case nothing, put, delete
  }

  /// Two layers over a table with three keys, in each combination.
  @Test func everySmallCombinationIsReadAsOneTable() throws {
    let directory = try TemporaryDirectory()
    let environment = try Environment.open(at: directory.path, options: EnvironmentOptions(flush: .none))
    for stored in 0..<8 {
      var transaction = try environment.beginWrite()
      let table = try #require(try transaction.openTable("table \(stored)", create: true))
      for key in 0..<3 where stored & (1 << key) != 0 { try transaction.put([UInt8(key)], [0], in: table) }
      for words in 0..<729 {
        let layers = [MemoryTable(), MemoryTable()]
        var expected: [UInt8: UInt8] = [:]
        for key in 0..<3 where stored & (1 << key) != 0 { expected[UInt8(key)] = 0 }
        var rest = words
        for level in 0..<2 {
          for key in 0..<3 {
            switch Word.allCases[rest % 3] {
            case .nothing: break
            case .put:
              layers[level].put([UInt8(key)].rawSpan, [UInt8(level + 1)].rawSpan)
              expected[UInt8(key)] = UInt8(level + 1)
            case .delete:
              layers[level].delete([UInt8(key)].rawSpan)
              expected[UInt8(key)] = nil
            }
            rest /= 3
          }
        }
        try check(LayeredTable(snapshot: transaction.snapshot, base: table, layers: layers), expected)
      }
    }
  }

  private func check(_ table: LayeredTable, _ expected: [UInt8: UInt8]) throws {
    for key in UInt8(0)..<3 {
      var found: UInt8?
      if let value = try table.unsafeValue(for: [key].rawSpan) { found = [UInt8](value).first }
      guard found == expected[key] else { throw Mismatch("\(key): \(found, default: "none"), not \(expected)") }
    }
    for start in UInt8(0)...3 {
      var cursor = try table.makeCursor()
      var found: [[UInt8]] = []
      var isValid = try cursor.seek(atOrAfter: [start].rawSpan)
      while isValid {
        found.append([UInt8](cursor.key) + [UInt8](cursor.value))
        isValid = try cursor.advance()
      }
      let later = expected.filter { $0.key >= start }.sorted { $0.key < $1.key }.map { [$0.key, $0.value] }
      guard found == later else { throw Mismatch("from \(start): \(found), not \(later)") }
      found = []
      isValid = try cursor.seek(before: [start].rawSpan)
      while isValid {
        found.append([UInt8](cursor.key) + [UInt8](cursor.value))
        isValid = try cursor.advance()
      }
      let earlier = expected.filter { $0.key < start }.sorted { $0.key > $1.key }.map { [$0.key, $0.value] }
      guard found == earlier else { throw Mismatch("before \(start): \(found), not \(earlier)") }
    }
  }

  @Test func aLookUpSeesEachChangeOfTheMemoryTables() throws {
    let directory = try TemporaryDirectory()
    let environment = try Environment.open(at: directory.path, options: EnvironmentOptions(flush: .none))
    var transaction = try environment.beginWrite()
    let base = try #require(try transaction.openTable("rows", create: true))
    let (key, one): ([UInt8], [UInt8]) = ([7], [1])
    let layer = MemoryTable()
    let table = LayeredTable(snapshot: transaction.snapshot, base: base, layers: [layer])
    func value() throws -> [UInt8]? {
      guard let value = try table.unsafeValue(for: key.rawSpan) else { return nil }
      return [UInt8](value)
    }
    #expect(try value() == nil)
    layer.put(key, one.rawSpan)
    #expect(try value() == one)
    try transaction.flush(layer, into: base)
    layer.removeAll()
    #expect(try value() == one)
    layer.delete(key)
    #expect(try value() == nil)
  }
}
