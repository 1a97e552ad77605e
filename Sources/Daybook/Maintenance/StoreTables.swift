import DaybookEngine

/// The parts of the projections that the store itself folds from the journal.
///
///     try store.rebuild([.indexes, .links])
public struct StoreTables: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The objects with their values.
  public static let objects = StoreTables(.objects)
  /// The links between objects, from both ends.
  public static let links = StoreTables(.links)
  /// The indexes that the model declares, by which results are sorted.
  public static let indexes = StoreTables(.indexes)
  /// The values of uniqueness constraints.
  public static let unique = StoreTables(.unique)
  /// The numbers of rows in stretches of the other tables.
  public static let counts = StoreTables(.counts)
  /// The index by which commits are found.
  public static let commitIndex = StoreTables(rawValue: 1 << TableName.allCases.count)
  /// All of them.
  public static let all = StoreTables(rawValue: commitIndex.rawValue << 1 - 1)

  private init(_ table: TableName) { self.init(rawValue: 1 << table.rawValue) }

  /// The tables among them of which a reader needs all.
  var tableNames: [TableName] { TableName.allCases.filter { contains(StoreTables($0)) } }
}

extension StoreTables {
  /// The names under which the command knows the parts.
  package static var names: [String] { TableName.allCases.map(\.name) + [CommitIndexRow.tableName] }

  /// Makes the part with a name.
  ///
  /// - Throws: `StoreError` with the code `notFound` for any other name.
  package init(named name: String) throws {
    if let table = TableName.allCases.first(where: { $0.name == name }) {
      self.init(table)
    } else if name == CommitIndexRow.tableName {
      self = .commitIndex
    } else {
      throw StoreError(
        .notFound, "There is no projection “\(name)”.", advice: "There are \(Self.names.joined(separator: ", ")).")
    }
  }
}
