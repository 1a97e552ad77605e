import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct KitTests {
  @Test func repeatableStoresMakeTheSameIdentitiesAndTimes() throws {
    func run() throws -> ([ObjectID], Timestamp?, Digest) {
      try withTemporaryStore(.library, options: .repeatable()) { store in
        let ids = try store.write { tx in
          [try tx.insert(Book(title: "Emma")).objectID, try tx.insert(Author(name: "Jane")).objectID]
        }
        var log = try store.log(from: 2)
        let hash = try #require(try log.next()).hash
        return (ids, try store.get(ids[0])?.createdAt, hash)
      }
    }
    let (first, second) = (try run(), try run())
    #expect(first == second)
    #expect(first.0.map(\.shortForm) == ["00000002", "00000003"])
    #expect(first.1 == FixedClock().now)
  }

  @Test func aDifferenceIsComparedWithTheExpectedOne() throws {
    try withTemporaryStore(.library) { store in
      let emma = try store.write { try $0.insert(Book(title: "Emma")) }
      let byTitle = Book.all.sorted(by: \.title)
      let alma = try store.expectDifference(
        of: byTitle, rows: [.update(emma, from: row(0), to: row(1)), .insert(unknown, to: row(0))]
      ) {
        try store.write { tx in
          try tx.set(emma, \.pages, 2)
          return try tx.insert(Book(title: "Alma"), id: unknown)
        }
      }
      #expect(alma == unknown)
      try store.expectDifference(of: byTitle) {}
      try store.expectDifference(of: byTitle.untyped, rows: [.delete(emma.objectID, from: row(1))]) {
        try store.write { try $0.delete(emma) }
      }
      let error = #expect(throws: Mismatch.self) {
        try store.expectDifference(of: byTitle, rows: [.delete(emma, from: row(0))]) {
          try store.write { try $0.delete(unknown) }
        }
      }
      #expect(
        error?.description == """
          The difference is not the expected one.
          expected: [delete \(emma) [0, 0]]
          found:    [delete \(unknown) [0, 0]]
          """)
    }
  }

  @Test func sectionsAreAPartOfADifference() throws {
    try withTemporaryStore(.library) { store in
      let bySubtitle = Book.all.sectioned(by: \.subtitle)
      try store.expectDifference(
        of: bySubtitle, sections: [.insert(index: 0, name: "x")], rows: [.insert(unknown, to: row(0))]
      ) {
        try store.write { try $0.insert(Book(title: "Emma", subtitle: "x"), id: unknown) }
      }
    }
  }

  @Test func scenariosSayWhichEventsComeOfWhat() throws {
    try withTemporaryStore(.library) { store in
      try store.given { tx in
        let jane = try tx.insert(Author(name: "Jane"))
        let emma = try tx.insert(Book(title: "Emma", author: jane))
        return (emma, jane)
      }.when { tx, known in
        let (emma, jane) = known
        try tx.rename(emma, to: "Emma!")
        try tx.set(emma, \.pages, 7)
        let chapter = try tx.insert(Chapter(heading: "1", book: emma))
        try tx.delete(chapter)
        try tx.unrelate(emma, \.author, from: jane)
        try tx.delete(jane)
      }.then { emma, jane in
        [
          .renamed(emma, to: "Emma!"), .set(emma, ["pages": 7]),
          .inserted("Chapter", ["heading": "1", "length": 10]),
          ExpectedEvent("related Chapter to its book") { $0.kind == .related && $0.entity == "Chapter" },
          ExpectedEvent("unrelated Chapter from its book") { $0.kind == .unrelated && $0.entity == "Chapter" },
          ExpectedEvent("deleted Chapter") { $0.kind == .deleted && $0.entity == "Chapter" },
          .unrelated(emma, "author", from: jane), .deleted(jane),
        ]
      }
      try store.given { try $0.insert(Author(name: "Anne")) }
        .when { tx, anne in try tx.rename(anne, to: "Anne") }
        .then { _ in [] }
      try store.given { (try $0.insert(Author(name: "A")), try $0.insert(Book(title: "B"))) }
        .when { tx, known in try tx.relate(known.1, \.author, to: known.0) }
        .then { [.related($0.1, "author", to: $0.0)] }
    }
  }

  @Test func otherEventsThanExpectedAreShown() throws {
    try withTemporaryStore(.library) { store in
      let outcome = try store.given { try $0.insert(Book(title: "Emma"), id: unknown) }
        .when { tx, emma in try tx.set(emma, \.pages, 8) }
      let error = #expect(throws: Mismatch.self) { try outcome.then { [.set($0, ["pages": 7]), .deleted($0)] } }
      #expect(
        error?.description == """
          The events are not the expected ones.
          expected:
            set \(unknown) {pages: 7}
            deleted \(unknown)
          found:
            set \(unknown) {pages: 8}
          """)
      for wrong: ExpectedEvent in [
        .inserted("Book"), .renamed(unknown, to: "x"), .set(unknown, ["pages": 8, "x": 1]),
        .related(unknown, "author", to: unknown), .unrelated(unknown, "author", from: unknown), .deleted(unknown),
      ] {
        #expect(throws: Mismatch.self) { try outcome.then { _ in [wrong] } }
      }
    }
  }

  @Test func refusalsAreExpectedByTheirCode() throws {
    try withTemporaryStore(.library) { store in
      let outcome = try store.given { _ in }.when { tx, _ in try tx.insert("Book", ["pages": 8]) }
      try outcome.thenFails(with: .constraint)
      #expect(throws: Mismatch.self) { try outcome.thenFails(with: .notFound) }
      #expect(throws: StoreError.self) { try outcome.then { _ in [] } }
      let fine = try store.given { _ in }.when { tx, _ in try tx.insert(Book(title: "Emma")) }
      #expect(throws: Mismatch.self) { try fine.thenFails(with: .constraint) }
    }
  }

  private let unknown = Book.ID(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!)

  private func row(_ row: Int) -> RowPath { RowPath(section: 0, row: row) }
}
