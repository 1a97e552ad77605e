import Daybook
import DaybookTestSupport
import DifferenceCases
import Foundation

/// A request that both the store and the reference can evaluate.
struct PlainRequest: CustomStringConvertible {
  var request: Request<StoredObject>
  var condition: ReferenceCondition?

  var description: String {
    let window = "offset \(request.offset) limit \(request.limit.map { "\($0)" } ?? "-")"
    let section = request.section.map { "\($0) \($0.order ?? []) \(request.timeZone)" } ?? "-"
    let shows = request.shows.map { "\($0)" } ?? "-"
    return "\(request.entity) where \(request.filter.map { "\($0)" } ?? "-") sort \(request.sort) section \(section) "
      + "\(window) shows \(shows)"
  }
}

/// A row's state, evaluated from scratch in the reference.
struct PlainRow {
  let id: ObjectID
  let section: String
  /// The section's value if it has a place of its own, and the sort values of the row.
  let keys: [Value]
  /// The shown values, and the values that the filter reads.
  let values: [[Value]]

  func isEqual(_ other: PlainRow?) -> Bool {
    guard let other else { return false }
    return section.utf8.elementsEqual(other.section.utf8) && keys == other.keys && values == other.values
  }
}

/// A request's result, evaluated from scratch in the reference.
struct PlainResult {
  /// All rows that meet the filter, inside or outside the window.
  var rows: [ObjectID: PlainRow] = [:]
  /// The rows of the window, in order.
  var window: [PlainRow] = []

  /// Creates the result before the first model.
  init() {}

  init(_ plain: PlainRequest, in state: ReferenceState) {
    let evaluation = PlainEvaluation(plain: plain, state: state)
    let sorted = evaluation.sortedRows()
    for row in sorted { rows[row.id] = row }
    window = Array(sorted.dropFirst(plain.request.offset).prefix(plain.request.limit ?? .max))
  }

  /// Returns the window's rows in their sections, with names in ASCII.
  ///
  /// The checks compare strings like Swift, by canonical equivalence.
  func sections(_ request: Request<StoredObject>) -> [Situation<ObjectID>.Section] {
    var sections: [Situation<ObjectID>.Section] = request.section == nil ? [.init(name: "", ids: [])] : []
    for row in window {
      let name = row.section.plainName
      if sections.last?.name != name { sections.append(.init(name: name, ids: [])) }
      sections[sections.count - 1].ids.append(row.id)
    }
    return sections
  }

  /// Returns the situation of this result and a later one.
  func situation(to later: PlainResult, _ request: Request<StoredObject>) -> Situation<ObjectID> {
    var situation = Situation(
      old: sections(request), new: later.sections(request), keyChanged: [], valueChanged: [])
    for (id, row) in rows {
      guard let other = later.rows[id] else { continue }
      if row.keys != other.keys { situation.keyChanged.insert(id) }
      if row.values != other.values { situation.valueChanged.insert(id) }
    }
    return situation
  }
}

extension String {
  /// The string in ASCII; different strings have different forms.
  var plainName: String { unicodeScalars.map { $0.escaped(asASCII: true) }.joined() }
}

extension Difference<ObjectID> {
  /// The difference with the names of its sections in ASCII.
  var plain: Difference {
    let sections = sections.map { change -> SectionChange in
      change.isDelete
        ? .delete(index: change.index, name: change.name.plainName)
        : .insert(index: change.index, name: change.name.plainName)
    }
    return Difference(sections: sections, rows: rows)
  }
}
