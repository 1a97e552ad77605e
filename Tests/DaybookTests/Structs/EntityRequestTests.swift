import Daybook
import DaybookTestSupport
import Testing

@Suite(.hangLimit) struct EntityRequestTests {
  private let id = ObjectID("0190163d-8694-739b-aea5-966c26f8ad91")!
  private var author: Author.ID { Author.ID(id) }

  /// Filters over fields, and texts that must produce the same filters.
  private var filters: [(Filter, String)] {
    let books = Book.Fields(at: .object)
    let authors = Author.Fields(at: .object)
    return [
      (books.title == "Emma", #"title == "Emma""#),
      (books.title != "Emma", #"title != "Emma""#),
      (books.pages < 5 && books.pages <= 6, "pages < 5 AND pages <= 6"),
      (books.pages > 5 || !(books.pages >= 6), "pages > 5 OR NOT pages >= 6"),
      (books.subtitle == nil, "subtitle == nil"),
      (books.subtitle == "x", #"subtitle == "x""#),
      (books.subtitle == nil, "subtitle == nil"),
      (books.reviews == nil, "reviews == nil"),
      (books.genre == .essay, #"genre == "essay""#),
      (books.genre.isIn([.essay, nil]), #"genre IN {"essay", nil}"#),
      (books.pages.between(1, 9), "pages BETWEEN {1, 9}"),
      (books.author.name == "Jane", #"author.name == "Jane""#),
      (books.author == author, #"author == "0190163d-8694-739b-aea5-966c26f8ad91""#),
      (books.author == nil, "author == nil"),
      (books.author != nil, "author != nil"),
      (books.author == nil, "author == nil"),
      (books.author.isIn([author]), #"author IN {"0190163d-8694-739b-aea5-966c26f8ad91"}"#),
      (books.author.books.count > 2, "author.books.@count > 2"),
      (books.title.beginsWith("E", .caseInsensitive), #"title BEGINSWITH[c] "E""#),
      (books.title.endsWith("a"), #"title ENDSWITH "a""#),
      (books.subtitle.contains("é", [.caseInsensitive, .diacriticInsensitive]), #"subtitle CONTAINS[cd] "é""#),
      (books.title.like("E*"), #"title LIKE "E*""#),
      (books.title.matches("E.*"), #"title MATCHES "E.*""#),
      (books.title == ("emma", .caseInsensitive), #"title ==[c] "emma""#),
      (books.title == books.subtitle.asText, "title == subtitle"),
      (books.chapters.any { $0.heading == "One" }, #"ANY chapters WHERE (heading == "One")"#),
      (books.chapters.all { $0.length > 3 }, "ALL chapters WHERE (length > 3)"),
      (books.chapters.none { $0.heading.contains("x") }, #"NONE chapters WHERE (heading CONTAINS "x")"#),
      (books.chapters.sum(\.length) >= 3, "chapters.@sum.length >= 3"),
      (books.chapters.minimum(\.length) == 3, "chapters.@min.length == 3"),
      (books.chapters.maximum(\.length) == 3, "chapters.@max.length == 3"),
      (books.chapters.average(\.length) > 2.5, "chapters.@avg.length > 2.5"),
      (books.chapters.contains(Chapter.ID(id)), #"ANY chapters == "0190163d-8694-739b-aea5-966c26f8ad91""#),
      (books.chapters.count { $0.length > 3 } >= 2, "COUNT(chapters WHERE length > 3) >= 2"),
      (
        books.chapters.any { $0.heading == "One" && $0.length > 3 },
        #"ANY chapters WHERE (heading == "One" AND length > 3)"#
      ),
      (
        books.chapters.all(where: { $0.length > 3 || $0.book == nil }), "ALL chapters WHERE (length > 3 OR book == nil)"
      ),
      (!books.chapters.none { $0.book.title == "x" }, #"NOT NONE chapters WHERE (book.title == "x")"#),
      (
        books.author.books.count { $0.chapters.any { $0.length > 3 } && $0.pages > 4 } == books.pages,
        "COUNT(author.books WHERE ANY chapters WHERE (length > 3) AND pages > 4) == pages"
      ),
      (books.chapters.count { !($0.length > 3) }.between(1, 2), "COUNT(chapters WHERE NOT length > 3) BETWEEN {1, 2}"),
      (books.id == Book.ID(id), #"id == "0190163d-8694-739b-aea5-966c26f8ad91""#),
      (books.createdAt > Timestamp(microseconds: 0), "createdAt > 1970-01-01T00:00:00Z"),
      (authors.books.any { $0.author.name == "x" }, #"ANY books WHERE (author.name == "x")"#),
    ]
  }

  @Test func fieldsMakeTheFilterThatTextMakes() throws {
    let model = try Model.library
    try withTemporaryStore(model) { store in
      for (filter, text) in filters {
        let parsed = try Filter(parsing: text)
        #expect(filter == parsed, "\(text)")
        let entity = text.hasPrefix("ANY books") ? "Author" : "Book"
        // The store also resolves every filter that can be written.
        #expect(throws: Never.self) { try store.fetch(Request(entity: entity, filter: filter)) }
      }
    }
  }

  @Test func `a condition on related objects that names the outer one is refused`() throws {
    try withTemporaryStore(Model.library) { store in
      for request in [
        Author.where { author in author.books.any { $0.title == author.name } },
        Author.where { author in author.books.count { _ in author.books.count > 1 } > 1 },
        Author.where { author in author.books.any { book in book.chapters.all { $0.book == nil && book.pages > 1 } } },
      ] {
        let error = #expect(throws: StoreError.self) { try store.fetch(request) }
        #expect(error?.message.contains("cannot name a field of the outer object") == true, "\(request)")
      }
      // A filter of another closure may be a part of the condition.
      let long = try #require(Chapter.where { $0.length > 3 }.untyped.filter)
      #expect(try store.fetch(Book.where { $0.chapters.any { $0.heading != "" && long } }).rows.isEmpty)
    }
  }

  @Test func requestsAreThoseThatWordsMake() throws {
    let request = Book.where { $0.author.name == "Jane" && $0.pages > 4 }
      .where { $0.title != "" }
      .sorted(by: \.title)
      .sorted(by: \.author.createdAt, .descending)
      .sectioned(by: \.author.name, .initial, direction: .descending, order: ["J"])
      .limited(to: 5, offset: 2)
      .inTimeZone("Europe/Rome")
      .showing(\.title, \.author.name, \.chapters)
    let words = Request<StoredObject>(
      entity: "Book", filter: try Filter(parsing: #"author.name == "Jane" AND pages > 4 AND title != """#),
      sort: [SortTerm(path: ["title"]), SortTerm(path: ["author", "createdAt"], .descending)],
      section: SectionKey(path: ["author", "name"], transform: .initial, direction: .descending, order: ["J"]),
      timeZone: "Europe/Rome", limit: 5, offset: 2, shows: [["title"], ["author", "name"], ["chapters"]])
    #expect(request.untyped == words)
    #expect(
      Chapter.all.sorted(byPlaceIn: \.book, of: Book.ID(id)).untyped.sort == [SortTerm(placeIn: "book", of: id)])
  }

  @Test func nilAndOtherInitialsArePlacedAsWordsPlaceThem() throws {
    let request = Book.all.sorted(by: \.subtitle, .descending, nils: .last)
      .sectioned(by: \.title, .initial, nils: .last, others: .last)
    #expect(request.untyped.sort == [try SortTerm(parsing: "subtitle:desc:nils-last")])
    #expect(request.untyped.section == (try SectionKey(parsing: "title.initial:nils-last:other-last")))
    #expect(throws: StoreError.self) { try Index(terms: "title:nils-lst") }
  }

  @Test func aRequestInWordsIsTakenForItsOwnEntityOnly() throws {
    let words = Request(entity: "Book", sort: [SortTerm(path: ["title"])])
    #expect(try Request<Record<Book>>(words) == Book.all.sorted(by: \.title))
    #expect(throws: StoreError.self) { try Request<Record<Author>>(words) }
  }

  /// A filter of twelve terms, two of related objects; the test also ensures that this file compiles quickly.
  @Test func twelveTermsAreOneFilter() throws {
    let request = Book.where {
      $0.title == "a" && $0.pages > 1 && $0.subtitle != nil && $0.author.name == "b" && $0.genre == .novel
        && $0.pages <= 900 && $0.chapters.count > 2 && !$0.title.beginsWith("x") && $0.author != nil
        && $0.chapters.any { $0.heading == "y" } && $0.chapters.count { $0.length > 2 && $0.heading != "z" } >= 3
        && $0.chapters.none { $0.heading == "v" && $0.length < 1 && $0.book.pages > 3 }
    }
    let text = #"""
      title == "a" AND pages > 1 AND subtitle != nil AND author.name == "b" AND genre == "novel" AND pages <= 900
      AND chapters.@count > 2 AND NOT title BEGINSWITH "x" AND author != nil AND ANY chapters WHERE (heading == "y")
      AND COUNT(chapters WHERE length > 2 AND heading != "z") >= 3
      AND NONE chapters WHERE (heading == "v" AND length < 1 AND book.pages > 3)
      """#
    let parsed = try Filter(parsing: text)
    #expect(request.untyped.filter == parsed)
  }
}

extension Field<String?> {
  /// The field as a required text, for comparisons.
  fileprivate var asText: Field<String> { Field<String>(.object, _fieldPath.names.joined(separator: ".")) }
}
