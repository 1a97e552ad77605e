import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import DaybookEngine

/// Catalogs of state rows, opened for a process and within a write.
@Suite(.hangLimit) struct CatalogLoaderTests {
  private func withEnvironment(_ body: (Environment, BuiltInTablesState, CatalogLoader) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let environment = try Environment.open(
      at: directory.path, options: EnvironmentOptions(flush: .none, hasChecksums: TableName.hasChecksums))
    defer { environment.close() }
    let model = try ResolvedModel(creating: Garden.model)
    let state = BuiltInTablesState(
      checkpoint: Checkpoint(9, hash: Digest(words: (1, 2, 3, 4))), modelPosition: 5, model: model,
      generations: [1, 1, 1, 2, 2])
    try body(
      environment, state,
      CatalogLoader(state) { position in
        #expect(position == 5)
        return model
      })
  }

  @Test func theCatalogHasTheTablesAndTheModelOfTheRow() throws {
    try withEnvironment { (environment, state, loader) throws in
      var transaction = try environment.beginWrite()
      let created = try #require(try BuiltInTables(state.tableNames, in: &transaction, create: true))
      let written = try #require(try loader.load(in: &transaction))
      try transaction.commit()
      let read = try #require(try loader.load(from: environment))
      for catalog in [written, read] {
        #expect(catalog.matches(state))
        for name in TableName.allCases { #expect(catalog.tables[name] == created[name]) }
      }
      let later = read.moved(to: read.model, at: 7)
      #expect(!later.matches(state) && later.tables.objects == created.objects)
      let found = try environment.withSnapshot { try later.reader(over: $0).find(ObjectID(high: 1, low: 1)) }
      #expect(found == nil)
    }
  }

  @Test func aMissingTableHasNoCatalog() throws {
    try withEnvironment { (environment, state, loader) throws in
      #expect(try loader.load(from: environment) == nil)
      var transaction = try environment.beginWrite()
      for name in state.tableNames.dropLast() { _ = try transaction.openTable(name, create: true) }
      let written = try loader.load(in: &transaction)
      #expect(written == nil)
      try transaction.commit()
      #expect(try loader.load(from: environment) == nil)
    }
  }

  @Test func theRowIsReadBackAndMayBeMissing() throws {
    try withEnvironment { (environment, state, _) throws in
      var transaction = try environment.beginWrite()
      let table = try #require(try transaction.openTable(BuiltInTablesState.tableName, create: true))
      let missing = try BuiltInTablesState(in: transaction.snapshot, table)
      try transaction.put(BuiltInTablesState.key, state.bytes, in: table)
      let found = try BuiltInTablesState(in: transaction.snapshot, table)
      try transaction.commit()
      #expect(missing == nil && found == state)
    }
  }
}
