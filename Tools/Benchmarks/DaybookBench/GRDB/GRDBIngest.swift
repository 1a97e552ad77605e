import Foundation

/// GRDB writes all records into a new store, a transaction for each commit.
final class GRDBIngest: Contestant {
  /// How the records reach SQLite.
  enum Style {
    /// By a statement with arguments; the timestamp is an integer.
    case statement
    /// By `PersistableRecord`, which a user would write first; the timestamp is a `Date`, which GRDB stores as text.
    case codable
  }

  let name: String
  let role = Role.peer
  private let workload: Workload
  private let variant: GRDBVariant
  private let style: Style
  private let settings: Settings
  private var store: GRDBStore?
  private var rows: [TodoRow] = []

  init(
    _ workload: Workload, name: String, variant: GRDBVariant, style: Style = .statement, settings: Settings
  ) {
    self.workload = workload
    self.name = name
    self.variant = variant
    self.style = style
    self.settings = settings
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    store = try GRDBStore(in: directory, variant: variant)
    try store?.insertCategories(of: workload)
    if style == .codable { rows = workload.records.map(TodoRow.init) }
  }

  func run(round: Int) throws -> Work {
    switch style {
    case .statement: try prepared(store).ingest(workload.records, commitSize: settings.commitSize)
    case .codable: try prepared(store).ingest(rows, commitSize: settings.commitSize)
    }
    return Work(operations: workload.records.count)
  }

  func endRound(_ round: Int) throws {
    try store?.close()
    store = nil
    rows = []
  }
}
