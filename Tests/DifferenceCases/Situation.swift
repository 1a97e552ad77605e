import DaybookDiff

/// Two results and the changes between them, for the reference and the library.
package struct Situation<ID: Hashable & Sendable>: Sendable, CustomStringConvertible {
  package struct Section: Equatable, Sendable {
    package var name: String
    package var ids: [ID]

    package init(name: String, ids: [ID]) {
      self.name = name
      self.ids = ids
    }
  }

  package var old: [Section]
  package var new: [Section]
  /// Rows in both results whose sort keys changed.
  package var keyChanged: Set<ID>
  /// Rows in both results whose shown state changed, apart from the keys.
  package var valueChanged: Set<ID>

  package init(old: [Section], new: [Section], keyChanged: Set<ID>, valueChanged: Set<ID>) {
    self.old = old
    self.new = new
    self.keyChanged = keyChanged
    self.valueChanged = valueChanged
  }

  /// The reversed situation.
  package var reversed: Situation {
    Situation(old: new, new: old, keyChanged: keyChanged, valueChanged: valueChanged)
  }

  package var oldList: SectionedIDs<ID> { SectionedIDs(sections: old.map { .init(name: $0.name, rows: $0.ids) }) }
  package var newList: SectionedIDs<ID> { SectionedIDs(sections: new.map { .init(name: $0.name, rows: $0.ids) }) }

  package var description: String {
    "\(oldList) to \(newList), keys of \(keyChanged) changed, values of \(valueChanged)"
  }

  package static func paths(_ sections: [Section]) -> [ID: RowPath] {
    var result: [ID: RowPath] = [:]
    for (index, section) in sections.enumerated() {
      for (row, id) in section.ids.enumerated() { result[id] = RowPath(section: index, row: row) }
    }
    return result
  }
}

extension Situation {
  /// Builds the difference like a store: from the changed rows and their sections.
  package func built() throws -> Difference<ID> {
    let from = Situation.paths(old)
    let to = Situation.paths(new)
    var builder = DifferenceBuilder<ID>()
    var touched: Set<String> = []
    for (id, path) in from where to[id] == nil {
      builder.delete(id, from: path)
      touched.insert(old[path.section].name)
    }
    for (id, path) in to {
      guard let before = from[id] else {
        builder.insert(id, to: path)
        touched.insert(new[path.section].name)
        continue
      }
      let names = [old[before.section].name, new[path.section].name]
      guard names[0] != names[1] || keyChanged.contains(id) || valueChanged.contains(id) else { continue }
      builder.change(id, from: before, to: path, keyChanged.contains(id) ? .keys : .values)
      touched.formUnion(names)
    }
    for name in touched {
      builder.touch(TouchedSection(name: name, old: place(of: name, in: old), new: place(of: name, in: new)))
    }
    return try builder.build()
  }

  private func place(of name: String, in sections: [Section]) -> TouchedSection.Place? {
    sections.firstIndex { $0.name == name }.map { .init(index: $0, count: sections[$0].ids.count) }
  }

  /// Computes the difference of the whole lists.
  package func compared() throws -> Difference<ID> {
    try Difference(
      from: oldList, to: newList, keyChanged: keyChanged.contains, stateChanged: valueChanged.contains)
  }
}
