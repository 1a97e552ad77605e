import DaybookTestSupport
import Testing

@testable import DaybookModel
@testable import DaybookQuery

/// All short texts over the words of conditions on related objects, against the grammar written down in the simplest way.
@Suite(.hangLimit) struct SmallGrammarTests {
  private static let words = ["COUNT(", "ANY", "a", "WHERE", "(", ")", "== 1"]

  @Test func `exactly the texts of the grammar are filters, and keep their canonical text`() throws {
    var (number, filters) = (0, 0)
    for length in 1...7 {
      var indices = Array(repeating: 0, count: length)
      repeat {
        number += 1
        guard Rounds.include(number) else { continue }
        let words = indices.map { Self.words[$0] }
        let text = words.joined(separator: " ")
        let isFilter = Grammar(words).isFilter
        if isFilter { filters += 1 }
        guard let filter = try? Filter(parsing: text) else {
          #expect(!isFilter, "\(text) is refused")
          continue
        }
        #expect(isFilter, "\(text) is read as \(filter)")
        #expect(try Filter(parsing: filter.description) == filter, "\(text)")
      } while Self.advance(&indices)
    }
    #expect(filters > 3)
  }

  /// A filter of more words than all texts have, which leave out, exchange or double one of them.
  @Test(arguments: [
    ["COUNT(", "a", "WHERE", "ANY", "a", "WHERE", "(", "a", "== 1", ")", ")", "== 1"],
    ["ANY", "WHERE", "WHERE", "(", "COUNT(", "WHERE", "WHERE", "WHERE", "== 1", ")", "== 1", ")"],
    ["(", "ANY", "a", "WHERE", "(", "ANY", "a", "WHERE", "(", "(", "a", "== 1", ")", ")", ")", ")"],
  ])
  func `a long text with two other words is a filter exactly if the grammar has it`(words: [String]) throws {
    #expect(Grammar(words).isFilter)
    let changes = words.indices.flatMap { place in ([nil] + Self.words).map { (place, $0) } }
    for first in changes {
      for second in changes {
        var changed: [String?] = words
        for (place, word) in [first, second] { changed[place] = word }
        let words = changed.compactMap { $0 }
        let text = words.joined(separator: " ")
        let isFilter = (try? Filter(parsing: text)) != nil
        #expect(isFilter == Grammar(words).isFilter, "\(text)")
      }
    }
  }

  private static func advance(_ indices: inout [Int]) -> Bool {
    for place in indices.indices.reversed() {
      indices[place] += 1
      if indices[place] < words.count { return true }
      indices[place] = 0
    }
    return false
  }
}

/// The grammar as functions from where a part begins to all places where it may end.
private struct Grammar {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  var isFilter: Bool { filter(0).contains(words.count) }

  private func word(_ word: String, _ places: Set<Int>) -> Set<Int> {
    Set(places.filter { $0 < words.count && words[$0] == word }.map { $0 + 1 })
  }

  private func name(_ places: Set<Int>) -> Set<Int> { word("a", places).union(word("WHERE", places)) }

  private func filter(_ places: Set<Int>) -> Set<Int> { Set(places.flatMap(filter)) }

  /// `( filter )`, `[ANY] operand == 1`, `ANY name WHERE ( filter )`
  private func filter(_ place: Int) -> Set<Int> {
    guard place < words.count else { return [] }
    func group(_ places: Set<Int>) -> Set<Int> {
      let inside = word("(", places)
      return inside.isEmpty ? [] : word(")", filter(inside))
    }
    let any = word("ANY", [place])
    return group([place]).union(word("== 1", operand(any.union([place])))).union(group(word("WHERE", name(any))))
  }

  /// `name`, `COUNT( name WHERE filter )`
  private func operand(_ places: Set<Int>) -> Set<Int> {
    let counted = word("WHERE", name(word("COUNT(", places)))
    return name(places).union(counted.isEmpty ? [] : word(")", filter(counted)))
  }
}
