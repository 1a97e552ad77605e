/// The difference between a request's rows in one state and in the state below it, with their sections.
struct RankDelta {
  /// The rows that only one of the states has.
  private(set) var rows = KeyDelta()
  /// The sections that only one of the states has.
  private(set) var sections = KeyDelta()
  /// The sections whose number of rows differs, each with its name and the difference.
  private var sizes: [[UInt8]: (name: String, difference: Int)] = [:]

  /// Returns the difference between the numbers of a section's rows.
  func difference(ofSection key: [UInt8]) -> Int { sizes[key]?.difference ?? 0 }

  /// Returns the name of a section whose number of rows differs, or `nil` for any other.
  func name(ofSection key: [UInt8]) -> String? { sizes[key]?.name }

  /// Moves rows of this state.
  ///
  /// - Parameter countBelow: Returns the number of a section's rows in the state below.
  mutating func apply(_ moves: [RowMove], countBelow: ([UInt8]) -> Int) {
    let (old, new) = (moves.compactMap(\.old), moves.compactMap(\.new))
    rows.apply(removing: old.map(\.key.bytes), inserting: new.map(\.key.bytes))
    var changed: Set<[UInt8]> = []
    for (states, step) in [(old, -1), (new, 1)] {
      for state in states where state.key.sectionSize > 0 {
        let section = state.key.section
        sizes[section, default: (state.sectionName, 0)].difference += step
        changed.insert(section)
      }
    }
    for section in changed {
      let (below, difference) = (countBelow(section), difference(ofSection: section))
      if difference == 0 { sizes[section] = nil }
      sections.set(section, isHere: below + difference > 0, isBelow: below > 0)
    }
  }
}
