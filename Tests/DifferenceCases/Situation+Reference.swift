import DaybookDiff

/// The rules implemented simply, in quadratic time, from the whole lists.
extension Situation {
  package struct Reference {
    package var difference: Difference<ID>
    /// Whether another set of moves is as small.
    package var isTie: Bool
  }

  package func reference() -> Reference {
    let from = Situation.paths(old)
    let to = Situation.paths(new)
    var rows: [RowChange<ID>] = []
    for (id, path) in from where to[id] == nil { rows.append(.delete(id, from: path)) }
    for (id, path) in to where from[id] == nil { rows.append(.insert(id, to: path)) }
    var isTie = false
    for section in old {
      for id in section.ids {
        if let target = to[id], new[target.section].name != section.name {
          rows.append(.move(id, from: from[id]!, to: target))
        }
      }
      guard let after = new.first(where: { $0.name == section.name }) else { continue }
      let split = split(section.ids, after.ids)
      isTie = isTie || split.isTie
      for id in split.moved { rows.append(.move(id, from: from[id]!, to: to[id]!)) }
      for id in split.updated { rows.append(.update(id, from: from[id]!, to: to[id]!)) }
    }
    return Reference(
      difference: Difference(sections: referenceSections, rows: Situation.inOrder(rows)), isTie: isTie)
  }

  private var referenceSections: [SectionChange] {
    let deletes = old.enumerated().filter { section in !new.contains { $0.name == section.element.name } }
    let inserts = new.enumerated().filter { section in !old.contains { $0.name == section.element.name } }
    return deletes.reversed().map { .delete(index: $0.offset, name: $0.element.name) }
      + inserts.map { .insert(index: $0.offset, name: $0.element.name) }
  }

  package static func inOrder(_ rows: [RowChange<ID>]) -> [RowChange<ID>] {
    var kinds: [[RowChange<ID>]] = [[], [], [], []]
    for row in rows {
      switch row {
      case .delete: kinds[0].append(row)
      case .insert: kinds[1].append(row)
      case .move: kinds[2].append(row)
      case .update: kinds[3].append(row)
      }
    }
    kinds[0].sort { $0.from! > $1.from! }
    kinds[1].sort { $0.to! < $1.to! }
    kinds[2].sort { $0.from! < $1.from! }
    kinds[3].sort { $0.from! < $1.from! }
    return kinds.flatMap { $0 }
  }

  private func split(_ before: [ID], _ after: [ID]) -> (moved: [ID], updated: [ID], isTie: Bool) {
    let survivors = before.filter(after.contains)
    let fixed = survivors.filter { !keyChanged.contains($0) }
    func fixedBefore(_ id: ID, _ ids: [ID]) -> [ID] { ids.prefix { $0 != id }.filter(fixed.contains) }
    let changed = survivors.filter(keyChanged.contains)
    let compatible = changed.filter { fixedBefore($0, before) == fixedBefore($0, after) }
    let keep = Situation.canonicalKeep(compatible.map { after.firstIndex(of: $0)! })
    let kept = Set(keep.indexes.map { compatible[$0] })
    return (
      moved: changed.filter { !kept.contains($0) },
      updated: changed.filter(kept.contains) + fixed.filter(valueChanged.contains), isTie: keep.isTie
    )
  }

  /// Finds a longest rising subsequence by dynamic programming.
  ///
  /// Of several, the one with the smallest indexes.
  package static func canonicalKeep(_ values: [Int]) -> (indexes: [Int], isTie: Bool) {
    var best = Array(repeating: 1, count: values.count)
    var ways = best
    for a in values.indices.reversed() {
      for b in values.indices where b > a && values[b] > values[a] {
        if best[b] + 1 > best[a] {
          (best[a], ways[a]) = (best[b] + 1, ways[b])
        } else if best[b] + 1 == best[a] {
          ways[a] = min(2, ways[a] + ways[b])
        }
      }
    }
    let longest = best.max() ?? 0
    let total = zip(best, ways).reduce(0) { $1.0 == longest ? $0 + $1.1 : $0 }
    var indexes: [Int] = []
    for a in values.indices where best[a] == longest - indexes.count && indexes.count < longest {
      if indexes.last.map({ values[$0] < values[a] }) ?? true { indexes.append(a) }
    }
    return (indexes, total > 1)
  }
}
