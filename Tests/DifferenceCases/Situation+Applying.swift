import DaybookDiff

extension Situation {
  /// Applies changes like a table view, one after another.
  package func batchApply(_ difference: Difference<ID>) throws -> [Section] {
    let leaving = difference.rows.filter { change in
      if case .update = change { false } else { change.from != nil }
    }
    var lists = old
    for change in leaving.sorted(by: { $0.from! > $1.from! }) {
      let path = change.from!
      try checkEqual(lists[path.section].ids.remove(at: path.row), change.id, "source of \(change)")
    }
    for change in difference.sections where change.isDelete {
      let section = lists.remove(at: change.index)
      try check(section.ids.isEmpty && section.name == change.name, "\(change) takes \(section)")
    }
    for change in difference.sections where !change.isDelete {
      lists.insert(Section(name: change.name, ids: []), at: change.index)
    }
    try Situation.addRows(difference.rows, to: &lists)
    let landed = Situation.paths(lists)
    for change in difference.rows where change.to != nil {
      try checkEqual(landed[change.id], change.to, "target of \(change)")
    }
    return lists
  }

  private static func addRows(_ changes: [RowChange<ID>], to lists: inout [Section]) throws {
    let arriving = changes.filter { change in
      if case .update = change { false } else { change.to != nil }
    }
    for change in arriving.sorted(by: { $0.to! < $1.to! }) {
      let path = change.to!
      try check(path.section < lists.count && path.row <= lists[path.section].ids.count, "\(change) is past the end")
      lists[path.section].ids.insert(change.id, at: path.row)
    }
  }

  /// Returns the view plan of a difference, change by change.
  package func referencePlan(_ difference: Difference<ID>) -> [RowChange<ID>] {
    let gone = difference.sections.filter(\.isDelete).map(\.index)
    let born = difference.sections.filter { !$0.isDelete }.map(\.index)
    var rows: [RowChange<ID>] = []
    for change in difference.rows {
      var parts = [change]
      if case .move(let id, let from, let to) = change, gone.contains(from.section) || born.contains(to.section) {
        parts = [.delete(id, from: from), .insert(id, to: to)]
      }
      for part in parts {
        if case .delete(_, let from) = part, gone.contains(from.section) { continue }
        if case .insert(_, let to) = part, born.contains(to.section) { continue }
        rows.append(part)
      }
    }
    return Situation.inOrder(rows)
  }

  /// Applies a view plan like a list view: an inserted section includes its rows.
  package func planApply(_ plan: Difference<ID>) throws -> [Section] {
    let gone = plan.sections.filter(\.isDelete).map(\.index)
    let born = plan.sections.filter { !$0.isDelete }.map(\.index)
    for change in plan.rows {
      try check(change.from.map { !gone.contains($0.section) } ?? true, "\(change) is in a deleted section")
      try check(change.to.map { !born.contains($0.section) } ?? true, "\(change) is in an inserted section")
    }
    let leaving = plan.rows.filter { change in
      if case .update = change { false } else { change.from != nil }
    }
    var lists = old
    for change in leaving.sorted(by: { $0.from! > $1.from! }) {
      lists[change.from!.section].ids.remove(at: change.from!.row)
    }
    for index in gone { lists.remove(at: index) }
    for index in born { lists.insert(new[index], at: index) }
    try Situation.addRows(plan.rows, to: &lists)
    return lists
  }
}
