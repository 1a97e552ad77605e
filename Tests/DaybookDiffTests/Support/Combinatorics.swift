import DifferenceCases

/// Runs a body with every element; rethrows its error with the element.
func withEvery<Elements: Sequence>(
  _ label: String, in elements: Elements, _ body: (Elements.Element) throws -> Void
) throws {
  for element in elements {
    do {
      try body(element)
    } catch {
      throw CheckFailure("\(label) \(element), \(error)")
    }
  }
}

/// Returns every way to put each row into one of some ordered lists, or nowhere.
func arrangements(of rows: Range<Int>, inLists count: Int) -> [[[Int]]] {
  rows.reduce([Array(repeating: [], count: count)]) { partial, row in
    partial.flatMap { lists in
      [lists]
        + lists.indices.flatMap { list in
          (0...lists[list].count).map { place in
            var longer = lists
            longer[list].insert(row, at: place)
            return longer
          }
        }
    }
  }
}

/// Returns every way to cut rows that are in order into some lists.
func cuts(of rows: Range<Int>, inLists count: Int) -> [[[Int]]] {
  if count == 1 { return [[Array(rows)]] }
  return (rows.lowerBound...rows.upperBound).flatMap { end in
    cuts(of: end..<rows.upperBound, inLists: count - 1).map { [Array(rows.lowerBound..<end)] + $0 }
  }
}

/// Returns every way to assign one of some values to each element.
func assignments<Element: Hashable, Value>(of values: [Value], to elements: [Element]) -> [[Element: Value]] {
  elements.reduce([[:]]) { partial, element in
    partial.flatMap { map in values.map { map.merging([element: $0]) { $1 } } }
  }
}
