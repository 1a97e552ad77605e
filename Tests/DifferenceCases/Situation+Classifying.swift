import DaybookDiff

extension Situation {
  /// Checks that a difference contains the right change for each row, with the fewest moves.
  ///
  /// Any smallest set of moves is accepted.
  package func classify(_ difference: Difference<ID>) throws {
    let from = Situation.paths(old)
    let to = Situation.paths(new)
    var changes: [ID: RowChange<ID>] = [:]
    for change in difference.rows {
      try check(changes.updateValue(change, forKey: change.id) == nil, "row \(change.id) is reported twice")
    }
    var moves: [String: Int] = [:]
    for id in Set(from.keys).union(to.keys) {
      let change = changes.removeValue(forKey: id)
      let wanted = kinds(id, from[id], to[id])
      try check(wanted.contains(change.map(Situation.kind)), "row \(id): found \(change as Any), wanted \(wanted)")
      if let change {
        try check(change.from == (wanted == ["insert"] ? nil : from[id]), "row \(id): wrong from in \(change)")
        try check(change.to == (wanted == ["delete"] ? nil : to[id]), "row \(id): wrong to in \(change)")
        if wanted.count == 2, case .move = change { moves[old[from[id]!.section].name, default: 0] += 1 }
      }
    }
    try check(changes.isEmpty, "rows of neither list: \(changes.keys)")
    for section in old {
      guard let after = new.first(where: { $0.name == section.name }) else { continue }
      try checkEqual(moves[section.name, default: 0], fewestMoves(section.ids, after.ids), "moves in \(section.name)")
    }
  }

  private func kinds(_ id: ID, _ from: RowPath?, _ to: RowPath?) -> [String?] {
    guard let from else { return ["insert"] }
    guard let to else { return ["delete"] }
    if old[from.section].name != new[to.section].name { return ["move"] }
    if keyChanged.contains(id) { return ["move", "update"] }
    return valueChanged.contains(id) ? ["update"] : [nil]
  }

  private static func kind(_ change: RowChange<ID>) -> String {
    switch change {
    case .delete: "delete"
    case .insert: "insert"
    case .move: "move"
    case .update: "update"
    }
  }

  /// Returns the number of rows of a section that must move, gap by gap between the fixed rows.
  private func fewestMoves(_ before: [ID], _ after: [ID]) -> Int {
    let survivors = before.filter(after.contains)
    var gaps: [[Int]] = [[]]
    var bounds = [-1]
    for id in survivors {
      let place = after.firstIndex(of: id)!
      if keyChanged.contains(id) {
        gaps[gaps.count - 1].append(place)
      } else {
        gaps.append([])
        bounds.append(place)
      }
    }
    bounds.append(after.count)
    return gaps.enumerated().reduce(0) { moves, gap in
      var tails: [Int] = []
      for place in gap.element where bounds[gap.offset] < place && place < bounds[gap.offset + 1] {
        let index = tails.firstIndex { $0 >= place } ?? tails.count
        tails.replaceSubrange(index..<min(index + 1, tails.count), with: [place])
      }
      return moves + gap.element.count - tails.count
    }
  }
}
