#if Command

import Daybook

/// Prints a difference for users: a line for each section and each row that changed.
struct ChangePrinter {
  /// The explanation of a reset for users.
  static let resetText = "the model changed in what the request reaches, or too much happened: fetch the result again"

  private let console: Console
  private let store: Store
  private let request: FetchRequest

  init(_ console: Console, _ store: Store, _ request: FetchRequest) {
    self.console = console
    self.store = store
    self.request = request
  }

  func print(_ change: ResultsChange) throws {
    try console.print("position \(change.from) to \(change.to)")
    guard !change.isReset else { return try console.print("  \(Self.resetText)") }
    if change.isEmpty { return try console.print("  no difference") }
    for section in change.difference.sections {
      let name = PrintableText.line(section.name)
      try console.print("  \(section.isDelete ? "-" : "+") section \(section.index) “\(name)”")
    }
    var reasons = ChangeReasons(store)
    let former = try reasons.formerNames(in: change)
    let shown = try shownTexts(in: change)
    try console.printing(from: store) { head in
      try head.reading([request.entity]) { reader in
        var labels = ObjectLabels(reader.resolvedModel)
        for row in change.difference.rows {
          let name = change.keys[row.id].map(GroupColumns.label(of:)) ?? former[row.id]
          let label = PrintableText.line(try name ?? labels.label(of: row.id, reader))
          let causes = change.causes[row.id].map { Self.text(of: $0, in: change) } ?? ""
          let values = shown[row.id].map { "  \($0)" } ?? ""
          try console.print("  \(row.sign) \(row.word) \(row.places)  \(label)\(values)\(causes)")
        }
      }
    }
  }

  /// Returns the text of a row's causes: the time, if no commit is one; with the first model a group of no objects appears.
  private static func text(of causes: [Position], in change: ResultsChange) -> String {
    if causes.isEmpty { return change.from > .empty ? "  its time came" : "" }
    return "  by \(causes.map(\.description).joined(separator: ", "))"
  }

  /// Returns the values that the request shows of the rows in the new result, if it names some: `type.name: Dessert`; the
  /// values of groups.
  private func shownTexts(in change: ResultsChange) throws -> [ObjectID: String] {
    let rows = change.difference.rows.filter { $0.to != nil }
    guard request.shows != nil || request.grouping != nil, !rows.isEmpty else { return [:] }
    return try store.read { head in
      try head.read(request.entity, at: change.to) { reader in
        if request.grouping != nil {
          let groups = try RequestRows(change.time.map { request.at($0) } ?? request, in: reader)
          return try rows.reduce(into: [:]) { texts, row in
            texts[row.id] = try groups.object(row.id, reader).map { PrintableText.line(GroupColumns($0).valuesText) }
          }
        }
        var labels = ObjectLabels(reader.resolvedModel)
        var shown = try ShownReader(request, in: reader)
        var texts: [ObjectID: String] = [:]
        for row in rows {
          let parts = try shown.values(of: row.id).map { "\($0.path.name): \(try labels.text(of: $0, reader))" }
          texts[row.id] = PrintableText.line(parts.joined(separator: ", "))
        }
        return texts
      }
    }
  }
}

#endif
