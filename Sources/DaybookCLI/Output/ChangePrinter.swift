import Daybook

/// Prints a difference for users: a line for each section and each row that changed.
struct ChangePrinter {
  /// The explanation of a reset for users.
  static let resetText = "the model changed in what the request reaches, or too much happened: fetch the result again"

  private let console: Console
  private let store: Store

  init(_ console: Console, _ store: Store) {
    self.console = console
    self.store = store
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
    try console.printing(from: store) { reader in
      var labels = ObjectLabels(reader.resolvedModel)
      for row in change.difference.rows {
        let label = PrintableText.line(try former[row.id] ?? labels.label(of: row.id, reader))
        let causes = change.causes[row.id].map { "  by \($0.map(\.description).joined(separator: ", "))" } ?? ""
        try console.print("  \(row.sign) \(row.word) \(row.places)  \(label)\(causes)")
      }
    }
  }
}
