import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

@Suite(.hangLimit) struct ProjectedTableTests {
  typealias Count = LedgerProjection.Count

  private let names = TableRequest(LedgerProjection.byName)
  private let authors = TableRequest(LedgerProjection.byAuthor)

  private func write(_ store: Store, _ names: String..., author: String? = nil) throws {
    try store.commit(CommitInfo(author: author)) { tx in
      for name in names { try tx.insert("Recipe", ["name": .string(name)]) }
    }
  }

  private func catchUp(_ store: Store, _ mode: ProjectionMode) throws {
    if mode == .catchUp { try store.projection("ledger").catchUp() }
  }

  /// The numbers 0 to 9 as names, in a projection at the head.
  private func withNumbers(_ body: (Store) throws -> Void) throws {
    try withTemporaryStore(FeedModel.model, options: .knowing(LedgerProjection(mode: .inline))) { store in
      for number in 0..<10 { try write(store, "\(number)", author: number % 2 == 0 ? "emma" : nil) }
      try body(store)
    }
  }

  @Test func rowsAreReadInTheOrderOfTheirKeys() throws {
    try withNumbers { store in
      let all = try store.rows(of: names, in: "ledger")
      #expect(all.position == 11 && all.count == 10)
      #expect(try all.rows.map(\.key) == (0..<10).map { "\($0)" })
      #expect(try all.rows.first?.value == Count(times: 1, last: "emma"))
      #expect(try store.projection("ledger").read { try $0.get("3", in: LedgerProjection.byName) } == Count(times: 1))
      #expect(try store.projection("ledger").read { try $0.get("x", in: LedgerProjection.byName) } == nil)
      // A typed number is a number of the untyped interface.
      let key = try LedgerProjection.AuthorName(author: "emma", name: "4").keyBytes()
      #expect(try store.projection("ledger").read { try $0.integer(key, in: "by-author") } == 1)
    }
  }

  /// Every range, direction, offset and limit, against the same of an array.
  @Test func everyWindowOfEveryRangeIsTheOneOfAnArray() throws {
    try withNumbers { store in
      let keys = (0..<10).map { "\($0)" }
      func check(_ range: KeyRange<String>, _ wanted: [String]) throws {
        for isDescending in [false, true] {
          let ordered = isDescending ? wanted.reversed() : wanted
          for (offset, limit) in [(0, nil), (-1, -1), (0, 0), (2, nil), (1, 3), (9, 5), (20, 1), (0, 100), (3, .max)]
            as [(Int, Int?)]
          {
            let request = TableRequest(
              LedgerProjection.byName, keys: range, descending: isDescending, offset: offset, limit: limit)
            let expected = ordered.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max))
            #expect(try store.rows(of: request, in: "ledger").rows.map(\.key) == Array(expected))
            #expect(try store.count(request, in: "ledger") == expected.count)
          }
        }
      }
      try check(.all, keys)
      for low in ["", "0", "3", "35", "9", "a"] {
        try check(.from(low), keys.filter { $0 >= low })
        try check(.upTo(low), keys.filter { $0 < low })
        try check(.through(low), keys.filter { $0 <= low })
        for high in ["0", "3", "35", "7", "a"] {
          try check(.from(low, upTo: high), keys.filter { $0 >= low && $0 < high })
          try check(.from(low, through: high), keys.filter { $0 >= low && $0 <= high })
        }
      }
      let even = TableRequest(LedgerProjection.byAuthor, keys: .beginning(with: ["emma"]))
      #expect(try store.rows(of: even, in: "ledger").rows.map(\.key.name) == ["0", "2", "4", "6", "8"])
      let odd = TableRequest(LedgerProjection.byAuthor, keys: .beginning(with: [.null]), descending: true)
      #expect(try store.rows(of: odd, in: "ledger").rows.map(\.key.name) == ["9", "7", "5", "3", "1"])
      #expect(try store.count(TableRequest(LedgerProjection.byAuthor, keys: .beginning(with: [])), in: "ledger") == 10)
    }
  }

  @Test func moreRowsThanFitAPageAreRead() throws {
    try withTemporaryStore(FeedModel.model, options: .knowing(LedgerProjection(mode: .inline))) { store in
      try store.commit(CommitInfo()) { tx in
        for number in 1_000..<1_500 { try tx.insert("Recipe", ["name": .string("\(number)")]) }
      }
      var request = TableRequest(LedgerProjection.byName, offset: 70, limit: 300)
      #expect(try store.rows(of: request, in: "ledger").rows.map(\.key) == (1_070..<1_370).map { "\($0)" })
      request.isDescending = true
      #expect(try store.rows(of: request, in: "ledger").rows.map(\.key) == (1_130..<1_430).reversed().map { "\($0)" })
    }
  }

  @Test func badNamesKeysAndRowsAreRefused() throws {
    try withNumbers { store in
      func expectRefusal(_ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation) {
        #expect(sourceLocation: location) { try body() } throws: { ($0 as? StoreError)?.code == .badValue }
      }
      expectRefusal { _ = try store.rows(of: TableRequest(ProjectedTable<Int, Int>("by name")), in: "ledger") }
      expectRefusal { _ = try store.rows(of: TableRequest(ProjectedTable<Int, Count>("by-name")), in: "ledger").rows }
      expectRefusal { _ = try store.rows(of: TableRequest(ProjectedTable<String, Int>("by-name")), in: "ledger").rows }
      let long = String(repeating: "a", count: 400)
      expectRefusal { _ = try store.rows(of: TableRequest(LedgerProjection.byName, keys: .from(long)), in: "ledger") }
      expectRefusal {
        _ = try store.count(TableRequest(LedgerProjection.byName, keys: .beginning(with: ["a", "b"])), in: "ledger")
      }
      expectRefusal {
        _ = try store.count(TableRequest(LedgerProjection.byName, keys: .beginning(with: [1])), in: "ledger")
      }
      #expect { try store.rows(of: names, in: "other") } throws: { ($0 as? StoreError)?.code == .notFound }
    }
  }

  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func aFeedBeginsWithTheRowsAndGoesOnWithDifferences(mode: ProjectionMode) async throws {
    try await withTemporaryStore(FeedModel.model, options: .knowing(LedgerProjection(mode: mode))) { store in
      try write(store, "b", "c")
      try catchUp(store, mode)
      var feed = store.changes(of: names, in: "ledger").makeAsyncIterator()
      guard case .state(let rows)? = try await feed.next() else { throw Mismatch("no state") }
      #expect(try rows.rows.map(\.key) == ["b", "c"])
      #expect(rows.position == 2 && feed.position == 2)
      try write(store, "a", "c", author: "emma")
      try store.writeNow { _ = try $0.insert("Tag", ["name": "b"]) }
      try catchUp(store, mode)
      guard case .change(let change)? = try await feed.next() else { throw Mismatch("no change") }
      #expect(change.from == 2 && change.to == 4 && feed.position == 4)
      #expect(try change.difference.applied(to: rows.rows) == store.rows(of: names, in: "ledger").rows)
    }
  }

  @Test func aSlowConsumerReceivesOneDifference() throws {
    try withTemporaryStore(FeedModel.model, options: .knowing(LedgerProjection(mode: .inline))) { store in
      try write(store, "b", "c")
      let source = TableSource(store, names, of: "ledger", from: nil)
      guard case .state? = try source.poll() else { throw Mismatch("no state") }
      #expect(try source.poll() == nil)
      let ids = try store.insertRecipes("d", "x")
      try store.writeNow { try $0.delete(ids[1]) }
      try write(store, "a", "c", author: "emma")
      guard case .change(let change)? = try source.poll() else { throw Mismatch("no change") }
      #expect(change.from == 2 && change.to == 5)
      #expect(
        change.difference.rows == [
          .insert(TableRow(key: "a", value: Count(times: 1, last: "emma")), to: 0),
          .insert(TableRow(key: "d", value: Count(times: 1)), to: 3),
          .update(
            TableRow(key: "c", value: Count(times: 2, last: "emma")), old: Count(times: 1), from: 1, to: 2),
        ])
      // A commit that changes no row moves the position.
      try store.writeNow { try $0.set(ids[0], ["servings": 2]) }
      #expect(try source.poll() == nil)
      #expect(source.position == 6)
      try store.writeNow { try $0.delete(ids[0]) }
      guard case .change(let last)? = try source.poll() else { throw Mismatch("no change") }
      #expect(last.from == 5 && last.to == 7)
      #expect(last.difference.rows == [.delete(TableRow(key: "d", value: Count(times: 1)), from: 3)])
    }
  }

  /// A commit of this process reads only the rows that it changed, and all rows where that is not known.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func onlyChangedRowsAreReadAgain(mode: ProjectionMode) throws {
    try withTemporaryStore(FeedModel.model, options: .knowing(LedgerProjection(mode: mode))) { store in
      try write(store, "b", "c")
      try catchUp(store, mode)
      let source = TableSource(store, names, of: "ledger", from: nil)
      _ = try source.poll()
      for number in 0..<5 {
        try write(store, "a\(number)", "z\(number)", "c")
        if number % 2 == 0 { try catchUp(store, mode) }
        _ = try source.poll()
      }
      try catchUp(store, mode)
      _ = try source.poll()
      #expect(source.comparisonCount == 1)
      #expect(source.position == 7)
      // Many rows at once are compared with all.
      try store.commit(CommitInfo()) { tx in
        for number in 0..<100 { try tx.insert("Recipe", ["name": .string("n\(number)")]) }
      }
      try catchUp(store, mode)
      guard case .change(let change)? = try source.poll() else { throw Mismatch("no change") }
      #expect(change.difference.rows.count == 100 && source.comparisonCount == 2)
      // Rebuilt rows are others.
      try store.projection("ledger").rebuild()
      #expect(try source.poll() == nil)
      #expect(source.comparisonCount == 3)
    }
  }

  @Test func aFeedGoesOnFromRowsThatTheCallerHas() throws {
    try withTemporaryStore(FeedModel.model, options: .knowing(LedgerProjection(mode: .inline))) { store in
      try write(store, "a")
      let known = try store.rows(of: names, in: "ledger")
      #expect(try TableSource(store, names, of: "ledger", from: known).poll() == nil)
      try write(store, "b")
      guard case .change(let change)? = try TableSource(store, names, of: "ledger", from: known).poll() else {
        throw Mismatch("no change")
      }
      #expect(change.from == 2 && change.to == 3 && change.difference.rows.count == 1)
      let now = try store.rows(of: names, in: "ledger")
      #expect(try known.difference(to: now) == change.difference)
      #expect(try change.difference.applied(to: known.rows) == now.rows)
      #expect(throws: StoreError.self) { try now.difference(to: known).applied(to: []) }
    }
  }

  @Test func rowsThatCrossTheEdgeOfALimitAreInsertedAndDeleted() throws {
    try withTemporaryStore(FeedModel.model, options: .knowing(LedgerProjection(mode: .inline))) { store in
      try write(store, "b", "c", "d")
      let last = TableRequest(LedgerProjection.byName, descending: true, offset: 1, limit: 2)
      let source = TableSource(store, last, of: "ledger", from: nil)
      guard case .state(let rows)? = try source.poll() else { throw Mismatch("no state") }
      #expect(try rows.rows.map(\.key) == ["c", "b"])
      try write(store, "e")
      guard case .change(let change)? = try source.poll() else { throw Mismatch("no change") }
      #expect(
        change.difference.rows == [
          .delete(TableRow(key: "b", value: Count(times: 1)), from: 1),
          .insert(TableRow(key: "d", value: Count(times: 1)), to: 0),
        ])
    }
  }

  /// A new version is swapped in by one difference, in a process that has the rows of the old one.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func aNewVersionIsOneDifference(mode: ProjectionMode) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(LedgerProjection(mode: mode)))
    try write(store, "a", "b")
    try catchUp(store, mode)
    let known = try store.rows(of: authors, in: "ledger")
    store.close()
    let later = try Store(
      at: path, options: .knowing(LedgerProjection(version: 2, mode: mode, weight: { 10 })))
    guard case .change(let change)? = try TableSource(later, authors, of: "ledger", from: known).poll() else {
      throw Mismatch("no change")
    }
    #expect(change.from == 2 && change.to == 2)
    #expect(try change.difference.applied(to: known.rows).map(\.value) == [10, 10])
    #expect(change.difference.rows.allSatisfy { if case .update(_, old: 1, _, _) = $0 { true } else { false } })
    later.close()
    // A program with the old code is refused.
    let old = try Store(at: path, options: .knowing(LedgerProjection(mode: .catchUp)))
    #expect { try TableSource(old, authors, of: "ledger", from: known).poll() } throws: {
      ($0 as? StoreError)?.code == .newerFormat
    }
    try closeAndVerify(old)
  }

  /// Rows are replaced while they are followed: by a rebuild whose code has changed meanwhile, and by a retry.
  @Test(arguments: [ProjectionMode.inline, .catchUp])
  func rowsThatChangeWithoutACommitAreADifference(mode: ProjectionMode) throws {
    let (weight, refused) = (Shared(1), Shared("bad"))
    let projection = LedgerProjection(
      mode: mode, isDeterministic: false, weight: { weight.now }, refuses: { $0.hasPrefix(refused.now) })
    try withTemporaryStore(FeedModel.model, options: .knowing(projection)) { store in
      try write(store, "a", "bad", "c")
      try catchUp(store, mode)
      let source = TableSource(store, authors, of: "ledger", from: nil)
      guard case .state(let rows)? = try source.poll() else { throw Mismatch("no state") }
      #expect(try rows.rows.map(\.key.name) == ["a", "c"])
      try store.projection("ledger").rebuild()
      #expect(try source.poll() == nil)
      weight.now = 5
      try store.projection("ledger").rebuild()
      guard case .change(let change)? = try source.poll() else { throw Mismatch("no change") }
      #expect(change.from == 2 && change.to == 2)
      #expect(change.difference.rows.count == 2)
      #expect(try source.poll() == nil)
      refused.now = "worse"
      try store.projection("ledger").retry()
      guard case .change(let last)? = try source.poll() else { throw Mismatch("no change") }
      #expect(last.from == 2 && last.to == 2)
      #expect(
        last.difference.rows == [
          .insert(TableRow(key: LedgerProjection.AuthorName(author: nil, name: "bad"), value: 5), to: 1)
        ])
    }
  }
}
