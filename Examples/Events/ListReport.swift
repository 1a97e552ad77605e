import DaybookMacros

/// What a list view performs: the steps of a view plan with the rows that it asks for, or all sections to begin with.
struct ListReport: Encodable, Sendable {
  struct Row: Encodable, Sendable {
    var id: String
    var time: String
    var title: String
  }

  struct Section: Encodable, Sendable {
    var name: String
    var rows: [Row]
  }

  /// A step; deletes and `from` count in the list before, inserts and `to` in the list after.
  struct Step: Encodable, Sendable {
    var change: String
    var index: Int?
    var section: Section?
    var from: [Int]?
    var to: [Int]?
    var row: Row?
  }

  var position: UInt64
  var calls: [String]
  /// All sections, where the view reloads everything.
  var sections: [Section]?
  var steps: [Step] = []
}

extension ListReport {
  /// - Parameter plan: What the view performs; `nil` if it reloads everything.
  init(_ results: LiveResults<Record<Event>>, calls: [String], plan: Difference<Event.ID>?) throws {
    (self.calls, position) = (calls, results.position.number)
    guard let plan else {
      sections = try results.sections.indices.map { try ListReport.section($0, of: results) }
      return
    }
    steps = try plan.sections.map { section in
      switch section {
      case .delete(let index, _): Step(change: "delete section", index: index)
      // The view asks for the rows of a new section itself.
      case .insert(let index, _):
        Step(change: "insert section", index: index, section: try ListReport.section(index, of: results))
      }
    }
    steps += try plan.rows.map { row in
      switch row {
      case .delete(_, let from): Step(change: "delete", from: from.numbers)
      case .insert(_, let to): Step(change: "insert", to: to.numbers, row: try Row(results.row(at: to)))
      case .move(_, let from, let to):
        Step(change: "move", from: from.numbers, to: to.numbers, row: try Row(results.row(at: to)))
      case .update(_, let from, let to):
        Step(change: "update", from: from.numbers, to: to.numbers, row: try Row(results.row(at: to)))
      }
    }
  }

  private static func section(_ index: Int, of results: LiveResults<Record<Event>>) throws -> Section {
    let section = try results.sections[index]
    return Section(
      name: section.name, rows: try results.rows(inSection: index, 0..<section.count).map { Row($0) })
  }
}

private extension ListReport.Row {
  init(_ event: Record<Event>) {
    self.init(id: "\(event.id)", time: "\(event.time)", title: event.title)
  }
}

private extension RowPath {
  var numbers: [Int] { [section, row] }
}
