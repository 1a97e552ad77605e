/// Rows and a request, evaluated from scratch each time.
package struct PlainStore<ID: Hashable & Sendable & Comparable, Key: Comparable & Sendable>: Sendable {
  package struct Row: Equatable, Sendable {
    package var section: String
    package var key: Key
    package var payload: String
    package var matches: Bool

    package init(section: String, key: Key, payload: String, matches: Bool = true) {
      self.section = section
      self.key = key
      self.payload = payload
      self.matches = matches
    }
  }

  /// The order of the sections; without an order the result has none.
  package enum SectionOrder: Sendable {
    case none, rising, falling
    case explicit([String])
  }

  package struct Request: Sendable {
    package var sections = SectionOrder.none
    package var keysFall = false
    package var offset = 0
    package var limit: Int?

    package init() {}
  }

  package var rows: [ID: Row] = [:]

  package init() {}

  package func result(of request: Request) -> [Situation<ID>.Section] {
    let matching = rows.filter(\.value.matches).sorted { precedes($0, $1, request) }
    let window = matching.dropFirst(request.offset).prefix(request.limit ?? .max)
    if case .none = request.sections { return [.init(name: "", ids: window.map(\.key))] }
    var result: [Situation<ID>.Section] = []
    for (id, row) in window {
      if result.last?.name != row.section { result.append(.init(name: row.section, ids: [])) }
      result[result.count - 1].ids.append(id)
    }
    return result
  }

  /// Returns the situation of a request's results before and after a change of the rows.
  package func situation(from earlier: PlainStore, _ request: Request) -> Situation<ID> {
    var situation = Situation(
      old: earlier.result(of: request), new: result(of: request), keyChanged: [], valueChanged: [])
    for (id, row) in rows {
      guard let before = earlier.rows[id] else { continue }
      if before.key != row.key { situation.keyChanged.insert(id) }
      if before.payload != row.payload { situation.valueChanged.insert(id) }
    }
    return situation
  }

  private func precedes(_ a: (key: ID, value: Row), _ b: (key: ID, value: Row), _ request: Request) -> Bool {
    let sections = (a.value.section, b.value.section)
    if sections.0 != sections.1 {
      switch request.sections {
      case .none: break
      case .rising: return sections.0.utf8.lexicographicallyPrecedes(sections.1.utf8)
      case .falling: return sections.1.utf8.lexicographicallyPrecedes(sections.0.utf8)
      case .explicit(let names): return names.firstIndex(of: sections.0)! < names.firstIndex(of: sections.1)!
      }
    }
    if a.value.key != b.value.key { return (a.value.key < b.value.key) != request.keysFall }
    return a.key < b.key
  }
}
