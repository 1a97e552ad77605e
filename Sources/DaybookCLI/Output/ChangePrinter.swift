import Daybook

/// Prints a difference for people: a line for each section and each row that changed.
struct ChangePrinter {
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  /// - Parameter reader: Says what the objects are called that are still there.
  func print(_ change: ResultsChange, _ reader: borrowing StoreReader) throws {
    try console.print("position \(change.from) to \(change.to)")
    guard !change.isReset else {
      return try console.print("  the model changed in what the request reaches: fetch the result anew")
    }
    if change.isEmpty { return try console.print("  no difference") }
    for section in change.difference.sections {
      let name = DisplayWidth.printable(section.name)
      try console.print("  \(section.isDelete ? "-" : "+") section \(section.index) “\(name)”")
    }
    var labels = ObjectLabels(reader.resolvedModel)
    for row in change.difference.rows {
      let label = DisplayWidth.printable(try labels.label(of: row.id, reader))
      let causes = change.causes[row.id].map { "  by \($0.map(\.description).joined(separator: ", "))" } ?? ""
      try console.print("  \(row.sign) \(row.word) \(row.places)  \(label)\(causes)")
    }
  }
}

extension RowChange<ObjectID> {
  /// One character that says what happened.
  var sign: String {
    switch self {
    case .delete: "-"
    case .insert: "+"
    case .move: ">"
    case .update: "~"
    }
  }

  /// The index paths: `[0, 3] → [1, 0]`.
  var places: String {
    [from, to].compactMap { $0?.description }.joined(separator: " → ")
  }
}
