import Daybook
import DaybookTestSupport
import Foundation

/// Evaluates a request over the reference's dictionaries in the simplest way.
struct PlainEvaluation {
  let plain: PlainRequest
  let state: ReferenceState

  private var request: Request<StoredObject> { plain.request }
  private var entity: String { plain.request.entity }

  /// Returns all rows that meet the filter, in order.
  func sortedRows() -> [PlainRow] {
    let terms = request.sort
    let keyed = state.objects(of: entity, isExact: request.isExact).filter { id in
      plain.condition.map { state.meets($0, id) } ?? true
    }.map { id in (row: row(id, terms), orders: terms.map { $0.order ?? state.look($0.path, from: id, entity).1 }) }
    return keyed.sorted { a, b in
      if request.section != nil {
        let order = compareSections(a.row, b.row)
        if order != 0 { return order < 0 }
      }
      let first = request.section == nil ? 0 : 1
      for (index, term) in terms.enumerated() {
        let order = term.compare(a.row.keys[first + index], b.row.keys[first + index], a.orders[index])
        if order != 0 { return order < 0 }
      }
      return a.row.id < b.row.id
    }.map(\.row)
  }

  private func row(_ id: ObjectID, _ terms: [SortTerm]) -> PlainRow {
    var keys = terms.map { state.look($0.path, from: id, entity).0 }
    var name = ""
    if request.section != nil {
      let value = sectionValue(id)
      keys.insert(value, at: 0)
      name = value.text
    }
    var values = (plain.condition?.paths ?? []).map { self.values($0, from: id, entity) }
    if let shows = request.shows {
      values += shows.map { self.values($0, from: id, entity) }
    } else {
      let own = state.objects[id]!.entity
      values += shownByDefault(own).map { self.values($0, from: id, own) }
    }
    return PlainRow(id: id, section: name, keys: keys, values: values)
  }

  /// The paths that a request without paths shows of an object of an entity, which may be a descendant of its own.
  private func shownByDefault(_ entity: String) -> [[String]] {
    let declared = state.model.entity(entity)!
    return declared.attributes.map { [$0.name] }
      + declared.relationships.filter { !$0.isMany && state.model.isOwner(.init(entity, $0.name)) }.map { [$0.name] }
  }

  /// Returns all values at the end of a path.
  private func values(_ path: [String], from id: ObjectID, _ entity: String) -> [Value] {
    let side = ReferenceState.Side(entity, path[0])
    guard let relationship = state.model.relationship(side) else { return [state.look(path, from: id, entity).0] }
    let rest = Array(path.dropFirst())
    let targets = state.targets(side, id)
    guard !rest.isEmpty else {
      return targets.isEmpty && !relationship.isMany ? [.null] : targets.map { .uuid($0) }
    }
    if targets.isEmpty, !relationship.isMany { return leadsToMany(rest, relationship.target) ? [] : [.null] }
    return targets.flatMap { values(rest, from: $0, relationship.target) }
  }

  private func leadsToMany(_ path: [String], _ entity: String) -> Bool {
    guard let first = path.first, let relationship = state.model.relationship(.init(entity, first)) else {
      return false
    }
    return relationship.isMany || leadsToMany(Array(path.dropFirst()), relationship.target)
  }
}

/// Sections.
extension PlainEvaluation {
  /// Returns a row's section value: the value itself, or its name from a transform.
  private func sectionValue(_ id: ObjectID) -> Value {
    let section = request.section!
    let (value, order) = state.look(section.path, from: id, entity)
    switch value {
    case .string(""): return .null
    // The store has no negative zero.
    case .double(0): return .double(0)
    case .string(let text) where section.transform == .initial:
      guard text.first!.isLetter else { return "#" }
      return .string(order.locale?.collator?.initial(of: text) ?? String(text.first!).composed.uppercased().composed)
    case .date(let time) where section.transform != .none: return .string(name(of: time, section.transform))
    default: return value
    }
  }

  private func name(of time: Timestamp, _ transform: SectionKey.Transform) -> String {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(identifier: request.timeZone)!
    let date = Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
    func digits(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
    }
    let parts = calendar.dateComponents([.year, .month, .day, .weekOfYear, .yearForWeekOfYear], from: date)
    switch transform {
    case .week: return "\(digits(parts.yearForWeekOfYear!, 4))-W\(digits(parts.weekOfYear!, 2))"
    case .year: return digits(parts.year!, 4)
    case .month: return "\(digits(parts.year!, 4))-\(digits(parts.month!, 2))"
    default: return "\(digits(parts.year!, 4))-\(digits(parts.month!, 2))-\(digits(parts.day!, 2))"
    }
  }

  private func compareSections(_ a: PlainRow, _ b: PlainRow) -> Int {
    let section = request.section!
    let sign = section.isDescending ? -1 : 1
    if let order = section.order, !order.isEmpty {
      let places = [a, b].map { row in
        order.firstIndex { $0.utf8.elementsEqual(row.section.utf8) } ?? order.count
      }
      if places[0] != places[1] { return (places[0] - places[1]) * sign }
    }
    let nils = section.nils ?? (section.isDescending ? .last : .first)
    if a.keys[0].isNull != b.keys[0].isNull { return a.keys[0].isNull == (nils == .first) ? -1 : 1 }
    if let others = section.others, (a.keys[0] == "#") != (b.keys[0] == "#") {
      return (a.keys[0] == "#") == (others == .first) ? -1 : 1
    }
    var order = state.look(section.path, from: a.id, entity).1
    if section.transform != .none, section.transform != .initial || order.locale == nil { order = .codepoint }
    return PlainOrder.compare(a.keys[0], b.keys[0], order) * sign
  }
}

extension String {
  fileprivate var composed: String { precomposedStringWithCanonicalMapping }
}

extension ReferenceCondition {
  /// The paths that the condition reads.
  var paths: [[String]] {
    switch self {
    case .compare(let path, _, _), .among(let path, _), .between(let path, _, _), .beginsWith(let path, _): [path]
    case .any(let relationship, let attribute, _): [[relationship, attribute]]
    case .count(let relationship, _, _): [[relationship]]
    case .related(_, let relationship, let part), .countWhere(let relationship, let part, _, _):
      [[relationship]] + part.paths.map { [relationship] + $0 }
    case .not(let part): part.paths
    case .both(let a, let b), .either(let a, let b): a.paths + b.paths
    }
  }
}
