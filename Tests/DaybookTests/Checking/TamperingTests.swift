import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Changes of single rows, made with knowledge of the format.
@Suite(.hangLimit) struct TamperingTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws {
    directory = try TemporaryDirectory()
    try BusyStore.make(at: directory.path("store"), hasLargeCommits: true)
  }

  private func faults() throws -> [Fault] { try Store.verify(at: path).faults }

  private func expectFault(
    _ part: Fault.Part, at location: String, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let faults = try faults()
    #expect(
      faults.contains { $0.part == part && $0.place.hasPrefix(location) }, "\(faults)",
      sourceLocation: sourceLocation)
  }

  private func changeJournal(_ body: (inout WriteTransaction, JournalTables) throws -> Void) throws {
    try RawStore.change(path, "journal") { transaction in
      let names = JournalTables.names
      var tables: [Table] = []
      for name in names { tables.append(try #require(try transaction.openTable(name, create: false))) }
      try body(&transaction, JournalTables(tables))
    }
  }

  private func key(_ position: Position, _ chunk: UInt32 = 0) -> [UInt8] {
    JournalKey(position: position, chunk: chunk).bytes
  }

  private func value(_ position: Position, _ snapshot: TransactionSnapshot, _ tables: JournalTables) throws -> [UInt8] {
    let key = key(position)
    let value = try snapshot.unsafeValue(for: key.rawSpan, in: tables.journal)
    return [UInt8](try #require(value).unsafeSpan)
  }

  /// Changes one byte of a commit's value.
  private func flip(_ position: Position, at place: (Int) -> Int) throws {
    try changeJournal { transaction, tables in
      var value = try value(position, transaction.snapshot, tables)
      value[place(value.count)] ^= 0x10
      try transaction.put(key(position), value, in: tables.journal)
    }
  }

  @Test(arguments: [0, 1, 2, 9, 10, 30, 42, 60, 74, 81, 82, 83, 90, 100])
  func anyByteOfACommitMatters(offset: Int) throws {
    try flip(9) { min(offset, $0 - 1) }
    try expectFault(.journal, at: "commit 9")
  }

  @Test func theLastBytesOfACommitMatter() throws {
    try flip(9) { $0 - 1 }
    try expectFault(.journal, at: "commit 9")
  }

  @Test func theHeaderOfTheLastCommitIsSealed() throws {
    // Without projections, the hash is stored nowhere else.
    try FileManager.default.removeItem(atPath: "\(path)/projections")
    let head = try Store.verify(at: path).head
    try flip(head) { _ in 80 }
    try expectFault(.journal, at: "commit \(head)")
  }

  @Test func aDamagedLastHeaderDoesNotPassForAnotherJournal() throws {
    let head = try Store.verify(at: path).head
    try flip(head) { _ in 80 }
    let error = #expect(throws: StoreError.self) { try Store(at: path) }
    #expect(error?.code == .damaged)
  }

  @Test func aMissingCommitIsFound() throws {
    try changeJournal { transaction, tables in
      _ = try transaction.delete(key(9).rawSpan, in: tables.journal)
    }
    try expectFault(.journal, at: "commit 9")
  }

  @Test func aMissingLastCommitIsFoundByTheProjections() throws {
    let head = try Store.verify(at: path).head
    try changeJournal { transaction, tables in
      _ = try transaction.delete(key(head).rawSpan, in: tables.journal)
    }
    #expect(try !faults().isEmpty)
  }

  @Test func missingFirstAndMiddleChunksAreFound() throws {
    for chunk in [0, 1, 2] as [UInt32] {
      let copy = directory.path("copy \(chunk)")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      var large = Position.empty
      try RawStore.change(copy, "journal") { transaction in
        let table = try #require(try transaction.openTable("journal", create: false))
        large = try largeCommit(transaction.snapshot, table)
        #expect(try transaction.delete(key(large, chunk).rawSpan, in: table))
      }
      let faults = try Store.verify(at: copy).faults
      #expect(faults.first?.place == "commit \(large)", "\(faults)")
    }
  }

  /// Returns the first commit that has several chunks.
  private func largeCommit(_ snapshot: TransactionSnapshot, _ table: Table) throws -> Position {
    var cursor = try snapshot.makeCursor(in: table)
    while try cursor.moveToNext() {
      let key = try JournalKey(cursor.key)
      if key.chunk > 0 { return key.position }
    }
    throw StoreError(.notFound, "There is no large commit.")
  }

  @Test func strangeKeysAreFound() throws {
    try changeJournal { transaction, tables in
      try transaction.put([1, 2, 3], [4], in: tables.journal)
      try transaction.put(key(3, 5), [4], in: tables.journal)
      try transaction.put(key(Position(.max)), [4], in: tables.journal)
    }
    let faults = try faults()
    #expect(faults.count >= 3)
  }

  @Test func exchangedCommitsAreFound() throws {
    try changeJournal { transaction, tables in
      let first = try value(9, transaction.snapshot, tables)
      let second = try value(10, transaction.snapshot, tables)
      try transaction.put(key(9), second, in: tables.journal)
      try transaction.put(key(10), first, in: tables.journal)
    }
    try expectFault(.journal, at: "commit 9")
    try expectFault(.journal, at: "commit 10")
  }

  @Test func theTableOfCommitIDsMatchesTheHeaders() throws {
    try changeJournal { transaction, tables in
      try transaction.put([UInt8](repeating: 1, count: 16), [0, 0, 0, 0, 0, 0, 0, 9], in: tables.commitIDs)
    }
    try expectFault(.journal, at: "table commit ids")
    try changeJournal { transaction, tables in
      try transaction.clear(tables.commitIDs)
    }
    try expectFault(.journal, at: "commit ")
  }

  @Test func theListOfModelsMatchesTheCommits() throws {
    try changeJournal { transaction, tables in
      try transaction.putMeta(JournalMeta.models, [0, 0, 0, 0, 0, 0, 0, 1], in: tables)
    }
    try expectFault(.journal, at: "table meta")
    try changeJournal { transaction, tables in
      try transaction.putMeta(JournalMeta.models, [0, 1], in: tables)
    }
    try expectFault(.journal, at: "table meta")
  }

  @Test(arguments: [JournalMeta.format, JournalMeta.storeID, JournalMeta.models, TrustMarker.key])
  func everyRowBesideTheCommitsIsSealed(row: [UInt8]) throws {
    try changeJournal { transaction, tables in
      let stored = try #require(try transaction.snapshot.unsafeValue(for: row.rawSpan, in: tables.meta))
      var value = [UInt8](stored.unsafeSpan)
      value[0] ^= 1
      try transaction.put(row, value, in: tables.meta)
    }
    try expectFault(row == TrustMarker.key ? .projections : .journal, at: "table meta")
    if row == TrustMarker.key {
      // The projections are rebuilt, and the row is written again.
      try Store(at: path).close()
      #expect(try faults() == [])
    } else if row != JournalMeta.models {
      let error = #expect(throws: StoreError.self) { try Store(at: path) }
      #expect(error?.code == .damaged)
    }
  }

  @Test func theFormatAndTheIdentityAreChecked() throws {
    try changeJournal { transaction, tables in
      try transaction.putMeta(JournalMeta.format, [9], in: tables)
      try transaction.putMeta(JournalMeta.storeID, [9], in: tables)
    }
    #expect(try faults().count >= 2)
  }

  /// Changes an event of a commit, and recomputes all hashes.
  private func rewrite(_ change: (EventKind, inout LinkChange?, inout Stamps?, inout Position?) -> Bool) throws {
    try RawStore.rewrite(path) { commits in
      for index in commits.indices where !commits[index].header.isModel {
        guard let body = try EventRewriting(commits[index]).body(change) else { continue }
        commits[index] = PendingCommit(header: commits[index].header, body: body)
        return
      }
      Issue.record("No commit has such an event.")
    }
  }

  @Test func aRewrittenJournalIsSound() throws {
    try RawStore.rewrite(path) { _ in }
    #expect(try faults() == [])
  }

  @Test func wrongBackPointersAreFound() throws {
    try rewrite { kind, _, _, previous in
      guard kind == .set, let earlier = previous, earlier > 2 else { return false }
      previous = Position(earlier.number - 1)
      return true
    }
    #expect(try faults().contains { $0.message.contains("touched") })
  }

  @Test func wrongFormerTimesAreFound() throws {
    try rewrite { kind, _, former, _ in
      guard kind == .renamed, former != nil else { return false }
      former?.changedAt = Timestamp(microseconds: 5)
      return true
    }
    #expect(try faults().contains { $0.message.contains("time of the last change") })
  }

  @Test func wrongFormerTargetsAreFound() throws {
    try rewrite { kind, link, _, _ in
      guard kind == .related, link?.from == nil, link?.newOrder.isEmpty ?? false else { return false }
      let target = link?.to
      link?.from = target
      return true
    }
    #expect(try !faults().isEmpty)
  }

  @Test(arguments: OrderKeys.hostile) func anOrderKeyThatIsNoneIsFound(key: [UInt8]) throws {
    try rewrite { kind, link, _, _ in
      guard kind == .related, link?.newOrder.isEmpty == false else { return false }
      link?.newOrder = key
      return true
    }
    #expect(try faults().contains { $0.message.contains("place") })
  }

  @Test func equalOrderKeysInOneListAreFound() throws {
    let model = try ResolvedModel(creating: BusyStore.model)
    let ingredient = try #require(model.entity(named: "Ingredient"))
    let relationship = try model[model.requireRelationship("recipe", of: ingredient)].tag
    var first: (target: ObjectID?, key: [UInt8])?
    try rewrite { kind, link, _, _ in
      guard kind == .related, let present = link, present.relationship == relationship else { return false }
      guard let known = first, known.target == present.to else {
        first = (present.to, present.newOrder)
        return false
      }
      guard known.key != present.newOrder else { return false }
      link?.newOrder = known.key
      return true
    }
    #expect(try faults().contains { $0.message.contains("two targets at one place") })
  }

  @Test func timesThatRunBackwardsAreFound() throws {
    try RawStore.rewrite(path) { commits in
      var header = commits[8].header
      header.recordedAt = Timestamp(microseconds: 1)
      commits[8] = PendingCommit(header: header, body: commits[8].body)
    }
    try expectFault(.journal, at: "commit 9")
  }

  @Test func aWrongCountOfEventsIsFound() throws {
    try RawStore.rewrite(path) { commits in
      var header = commits[8].header
      header.eventCount += 1
      commits[8] = PendingCommit(header: header, body: commits[8].body)
    }
    try expectFault(.journal, at: "commit 9")
  }

  @Test func aModelThatIsNoneIsFound() throws {
    try RawStore.rewrite(path) { commits in
      commits[0] = PendingCommit(header: commits[0].header, body: Array("{\"entities\": 7}".utf8))
    }
    try expectFault(.journal, at: "commit 1")
  }

  @Test(arguments: TableName.allCases) func everyRowOfTheProjectionsMatters(table: TableName) throws {
    let sound = directory.path("sound")
    try FileManager.default.moveItem(atPath: path, toPath: sound)
    for way in 0..<3 {
      try FileManager.default.copyItem(atPath: sound, toPath: path)
      try RawStore.change(path, "projections") { transaction in
        let name = try #require(try transaction.tableNames().first { $0.hasPrefix(table.name + ".") })
        let opened = try #require(try transaction.openTable(name, create: false))
        let row = try firstRow(of: opened, transaction.snapshot)
        switch way {
        case 0: _ = try transaction.delete(row.key.rawSpan, in: opened)
        case 1: try transaction.put(row.key, row.value + [0], in: opened)
        default: try transaction.put(row.key + [0], row.value, in: opened)
        }
      }
      let result = try Store.verify(at: path)
      #expect(
        result.faults.count == 1 && result.faults[0].place.hasPrefix("table \(table.name)"), "\(result.faults)")
      #expect(result.faults.allSatisfy { $0.part == .projections })
      #expect(result.advice?.contains("rebuild") == true)
      try FileManager.default.removeItem(atPath: path)
    }
  }

  private func firstRow(of table: Table, _ snapshot: TransactionSnapshot) throws -> (key: [UInt8], value: [UInt8]) {
    var cursor = try snapshot.makeCursor(in: table)
    #expect(try cursor.moveToFirst())
    return ([UInt8](cursor.key), [UInt8](cursor.value))
  }

  @Test func leftoverTablesAndAMissingStateAreFound() throws {
    try RawStore.change(path, "projections") { transaction in
      let table = try #require(try transaction.openTable("views.99", create: true))
      try transaction.put([1], [2], in: table)
    }
    try expectFault(.projections, at: "table views.99")
    // Projections with faults lose their trust, and the next opening rebuilds them.
    try Store(at: path).close()
    #expect(try faults() == [])
    try RawStore.change(path, "projections") { transaction in
      let table = try #require(try transaction.openTable(BuiltInTablesState.tableName, create: false))
      try transaction.clear(table)
    }
    try expectFault(.projections, at: "table projections")
  }
}

/// Writes the events of a commit again, with one of them changed.
struct EventRewriting {
  let commit: PendingCommit

  init(_ commit: PendingCommit) { self.commit = commit }

  /// Returns the body with the first event that `change` changes, or `nil` if it changes none.
  func body(_ change: (EventKind, inout LinkChange?, inout Stamps?, inout Position?) -> Bool) throws -> [UInt8]? {
    let (position, time) = (commit.header.position, commit.header.time)
    let bytes = commit.body
    var events = EventReader(bytes.rawSpan, position: position, time: time)
    var writer = EventWriter(position: position, time: time)
    var isChanged = false
    while !events.isAtEnd {
      let event = try events.next()
      var former = event.former
      var previous = event.previous
      var link: LinkChange?
      if let view = event.link {
        link = LinkChange(
          relationship: view.relationship, from: view.from, fromPrevious: view.fromPrevious, to: view.to,
          toPrevious: view.toPrevious, oldOrder: [UInt8](view.oldOrder), newOrder: [UInt8](view.newOrder))
      }
      if !isChanged { isChanged = change(event.kind, &link, &former, &previous) }
      let none = Stamps(
        created: 1, createdAt: time, changed: 1, changedAt: time, last: 1)
      switch event.kind {
      case .inserted: try writer.inserted(event.object, entity: event.entity, previous: previous, fields: event.fields)
      case .renamed, .set:
        try writer.changed(
          event.kind, event.object, entity: event.entity, previous: previous, former: former ?? none,
          changes: event.fields)
      case .deleted:
        try writer.deleted(
          event.object, entity: event.entity, previous: previous, former: former ?? none, fields: event.fields)
      case .recorded:
        if let type = event.eventType {
          try writer.recorded(
            event.object, entity: event.entity, previous: previous, type: type, fields: event.fields)
        }
      case .unknown: try writer.unknown(event.object, entity: event.entity, previous: previous, content: event.fields)
      case .related, .unrelated:
        if let link {
          try writer.link(event.object, entity: event.entity, previous: previous, former: former ?? none, change: link)
        }
      }
    }
    return isChanged ? writer.bytes : nil
  }
}
