import Daybook
import DaybookTestSupport
import Foundation
import Testing

@Suite(.hangLimit) struct TypedVerbTests {
  @Test func structsAreWrittenAndRead() throws {
    try withTemporaryStore(.library) { store in
      let (jane, emma) = try store.write(author: "editor") { tx in
        let jane = try tx.insert(Author(name: "Jane"))
        let emma = try tx.insert(Book(title: "Emma", genre: .novel, reviews: ["good"], author: jane))
        return (jane, emma)
      }
      let book = try #require(try store.get(emma))
      #expect(book.value == Book(title: "Emma", genre: .novel, reviews: ["good"], author: jane))
      #expect(book.id == emma)
      #expect(book.pages == 100)
      #expect(book.createdAt == book.changedAt)
      #expect(try store.get(emma.objectID)?["reviews"] == .data(Array(#"["good"]"#.utf8)))
    }
  }

  @Test func eachVerbDoesWhatItDoesWithWords() throws {
    try withTemporaryStore(.library) { store in
      let (jane, emma, other) = try store.write { tx in
        (
          try tx.insert(Author(name: "Jane")), try tx.insert(Book(title: "Emma")),
          try tx.insert(Book(title: "Persuasion"), id: Book.ID(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!))
        )
      }
      try store.write { tx in
        try tx.rename(emma, to: "Emma!")
        try tx.set(emma, \.pages, 474)
        try tx.set(emma, \.subtitle, "A novel")
        try tx.set(emma, \.genre, .novel)
        try tx.relate(emma, \.author, to: jane)
        try tx.relate(jane, \.books, to: other)
        #expect(try tx.get(emma)?.pages == 474)
        #expect(try tx.targets(of: jane, \.books).sorted() == [emma, other].sorted())
        #expect(try tx.target(of: emma, \.author) == jane)
      }
      var log = try store.log(from: 3)
      let events = try #require(try log.next()).events
      #expect(events.map(\.kind) == [.renamed, .set, .set, .set, .related, .related])
      try store.write { tx in
        try tx.unrelate(emma, \.author, from: jane)
        try tx.unrelate(jane, \.books, from: other)
        try tx.set(emma, \.subtitle, nil)
        try tx.delete(other)
      }
      #expect(try store.get(other) == nil)
      #expect(try store.get(emma)?.author == nil)
      #expect(try store.get(emma)?.subtitle == nil)
      #expect(try store.count(Book.where { $0.author == nil }) == 1)
    }
  }

  @Test func targetsHaveTheOrderThatIsGiven() throws {
    try withTemporaryStore(.library) { store in
      let (book, one, two) = try store.write { tx in
        let book = try tx.insert(Book(title: "Emma"))
        let one = try tx.insert(Chapter(heading: "1", book: book))
        let two = try tx.insert(Chapter(heading: "2", book: book))
        return (book, one, two)
      }
      #expect(try store.get(book)?.chapters.ids() == [one, two])
      try store.write { try $0.relate(book, \.chapters, to: two, at: .before(one)) }
      #expect(try store.get(book)?.chapters.ids() == [two, one])
      try store.write { try $0.relate(book, \.chapters, to: two, at: .after(one)) }
      #expect(try store.get(book)?.chapters.ids() == [one, two])
      let sorted = Chapter.where { $0.book == book }.sorted(byPlaceIn: \.book, of: book)
      #expect(try store.fetch(sorted).rows.map(\.id) == [one, two])
    }
  }

  @Test func anInsertedValueMayListWhatItIsRelatedTo() throws {
    try withTemporaryStore(.library) { store in
      let (jane, books) = try store.write { tx in
        let books = [try tx.insert(Book(title: "a")), try tx.insert(Book(title: "b"))]
        return (try tx.insert(Author(name: "Jane", books: Related(books))), books)
      }
      #expect(try store.get(jane)?.books.ids() == books.sorted())
    }
  }

  @Test func aChangedValueIsWrittenBack() throws {
    try withTemporaryStore(.library) { store in
      let (jane, emma) = try store.write { tx in
        (try tx.insert(Author(name: "Jane")), try tx.insert(Book(title: "Emma", subtitle: "x")))
      }
      var book = try #require(try store.get(emma))
      book.pages = 1
      book.subtitle = nil
      book.author = jane
      try store.write { [book] in try $0.set(book) }
      #expect(try store.get(emma)?.value == book.value)
      book.author = nil
      try store.write { [book] in try $0.set(book) }
      #expect(try store.get(emma)?.author == nil)
      let head = try store.position
      try store.write { [book] in try $0.set(book) }
      #expect(try store.position == head)
    }
  }

  @Test func fieldsOfRelatedObjectsAreNotSetThroughTheirOwner() throws {
    try withTemporaryStore(.library) { store in
      let emma = try store.write { try $0.insert(Book(title: "Emma")) }
      let error = #expect(throws: StoreError.self) { try store.write { try $0.set(emma, \.author.name, "x") } }
      #expect(error?.code == .badRequest)
    }
  }

  @Test func anIdentityOfAnotherEntityIsRefused() throws {
    try withTemporaryStore(.library) { store in
      let emma = try store.write { try $0.insert(Book(title: "Emma")) }
      let error = #expect(throws: StoreError.self) { try store.get(Author.ID(emma.objectID)) }
      #expect(error?.code == .badValue)
      #expect(try store.get(Book.ID(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!)) == nil)
    }
  }

  @Test func aValueThatDoesNotFitIsNamed() throws {
    try withTemporaryStore(.library) { store in
      let id = try store.write { try $0.insert("Book", ["title": "Emma", "genre": "poem"]) }
      let error = #expect(throws: StoreError.self) { try store.get(Book.ID(id)) }
      #expect(error?.message == "Book.genre of \(id): “poem” is not a value of Genre.")
      #expect(throws: StoreError.self) { try store.fetch(Book.all) }
    }
  }

  @Test func identitiesAreTextInJSON() throws {
    let id = Book.ID(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!)
    let json = try JSONEncoder().encode([id])
    #expect(String(decoding: json, as: UTF8.self) == #"["0190163d-8694-739b-aea5-966c26f8ad91"]"#)
    #expect(try JSONDecoder().decode([Book.ID].self, from: json) == [id])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Book.ID].self, from: Data(#"["x"]"#.utf8)) }
    #expect(Book.ID(id.description) == id)
    #expect(Book.ID("x") == nil)
  }

  @Test func valuesThatCannotBeStoredAreRefused() throws {
    let far = #expect(throws: StoreError.self) { try Value(Date(timeIntervalSince1970: 1e300)) }
    #expect(far?.code == .badValue)
    #expect(throws: StoreError.self) { try Value([Double.nan]) }
    #expect(throws: StoreError.self) { try Value.integer(128).decoded(as: Int8.self) }
    #expect(throws: StoreError.self) { try Value.integer(-1).decoded(as: UInt32.self) }
    #expect(throws: StoreError.self) { try Value.null.decoded(as: String.self) }
    #expect(throws: StoreError.self) { try Value.data(Array("{}".utf8)).decoded(as: [Int].self) }
    #expect(try Value.null.decoded(as: String?.self) == nil)
    try withTemporaryStore(.library) { store in
      #expect(throws: StoreError.self) { try Attribute("a", as: [Double].self, default: [.infinity]) }
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.set(Book.ID(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!), \.pages, 1) }
      }
      #expect(error?.code == .notFound)
    }
  }

  @Test func equalSetsAndDictionariesAreStoredAlike() throws {
    let words = (0..<100).map { "word \($0)" }
    var (roomy, tight) = (Set<String>(minimumCapacity: 10_000), Set<String>())
    for word in words { roomy.insert(word) }
    for word in words.reversed() { tight.insert(word) }
    #expect(try Value(roomy) == Value(tight))
    #expect(try Value(roomy).decoded(as: Set<String>.self) == tight)
    let numbers = Dictionary(uniqueKeysWithValues: words.map { ($0, 1) })
    var others = [String: Int](minimumCapacity: 10_000)
    for word in words.reversed() { others[word] = 1 }
    #expect(try Value(numbers) == Value(others))
    #expect(try Value(Set<Int>()) == .data(Array("[]".utf8)))
  }

  @Test func inversesThatCannotBeToldAreRefused() throws {
    let error = #expect(throws: StoreError.self) { try Model(Book.self, Chapter.self) }
    #expect(error?.message == "Book.author leads to Author, which is not in the model.")
    let model = try Model.library
    #expect(model.entities[0].relationships[0].inverse == "author")
    #expect(model.entities[1].relationships.map(\.inverse) == ["books", "book"])
    #expect(model.entities[2].relationships[0].inverse == "chapters")
  }
}
