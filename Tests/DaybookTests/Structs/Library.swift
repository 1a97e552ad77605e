import Daybook

// Entities written by hand, in the form that the macro generates.

struct Book: Storable, Hashable {
  var title: String
  var pages = 100
  var subtitle: String?
  var genre: Genre?
  var reviews: [String] = []
  var author: Author.ID?
  var chapters: Related<Chapter> = []

  typealias ID = EntityID<Book>

  struct Fields: EntityFields {
    typealias Object = Book
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var title: Field<String> { Field(fieldPath, "title") }
    var pages: Field<Int> { Field(fieldPath, "pages") }
    var subtitle: Field<String?> { Field(fieldPath, "subtitle") }
    var genre: Field<Genre?> { Field(fieldPath, "genre") }
    var reviews: Field<[String]> { Field(fieldPath, "reviews") }
    var author: ToOneField<Author> { ToOneField(fieldPath, "author") }
    var chapters: ToManyField<Chapter> { ToManyField(fieldPath, "chapters") }
  }

  static var entity: Entity {
    get throws {
      Entity(
        name: entityName, nameAttribute: "title",
        attributes: [
          try Attribute("title", as: String.self), try Attribute("pages", as: Int.self, default: 100),
          try Attribute("subtitle", as: String?.self), try Attribute("genre", as: Genre?.self),
          try Attribute("reviews", as: [String].self, default: []),
        ],
        relationships: [
          Relationship("author", toOne: Author.self, isOptional: true),
          Relationship("chapters", toMany: Chapter.self, onDelete: .cascade, ordered: true),
        ],
        indexes: [try Index(terms: "author.name", "title")])
    }
  }
}

extension Book {
  init(row: inout ObjectRow) throws {
    title = try row.value("title")
    pages = try row.value("pages")
    subtitle = try row.value("subtitle")
    genre = try row.value("genre")
    reviews = try row.value("reviews")
    author = try row.target("author")
    chapters = row.targets("chapters")
  }

  func write(to values: inout ObjectValues) throws {
    try values.set("title", title)
    try values.set("pages", pages)
    try values.set("subtitle", subtitle)
    try values.set("genre", genre)
    try values.set("reviews", reviews)
    values.relate("author", to: author)
    values.relate("chapters", to: chapters)
  }
}

extension Book {
  static func == (a: Book, b: Book) -> Bool {
    (a.title, a.pages, a.subtitle, a.genre, a.author) == (b.title, b.pages, b.subtitle, b.genre, b.author)
      && a.reviews == b.reviews
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(pages)
  }
}

extension Author {
  static func == (a: Author, b: Author) -> Bool { a.name == b.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

enum Genre: String, ScalarValue { case novel, essay }

struct Author: Storable, Hashable {
  var name: String
  var books: Related<Book> = []

  typealias ID = EntityID<Author>

  struct Fields: EntityFields {
    typealias Object = Author
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var name: Field<String> { Field(fieldPath, "name") }
    var books: ToManyField<Book> { ToManyField(fieldPath, "books") }
  }

  static var entity: Entity {
    get throws {
      Entity(
        name: entityName, nameAttribute: "name", attributes: [try Attribute("name", as: String.self)],
        relationships: [Relationship("books", toMany: Book.self, inverse: "author")])
    }
  }
}

extension Author {
  init(row: inout ObjectRow) throws {
    name = try row.value("name")
    books = row.targets("books")
  }

  func write(to values: inout ObjectValues) throws {
    try values.set("name", name)
    values.relate("books", to: books)
  }
}

struct Chapter: Storable, Hashable {
  var heading: String
  var length = 10
  var book: Book.ID

  typealias ID = EntityID<Chapter>

  struct Fields: EntityFields {
    typealias Object = Chapter
    let fieldPath: FieldPath
    init(at path: FieldPath) { fieldPath = path }
    var heading: Field<String> { Field(fieldPath, "heading") }
    var length: Field<Int> { Field(fieldPath, "length") }
    var book: ToOneField<Book> { ToOneField(fieldPath, "book") }
  }

  static var entity: Entity {
    get throws {
      Entity(
        name: entityName, nameAttribute: "heading",
        attributes: [
          try Attribute("heading", as: String.self), try Attribute("length", as: Int.self, default: 10),
        ],
        relationships: [Relationship("book", toOne: Book.self, isOptional: false)])
    }
  }
}

extension Chapter {
  init(row: inout ObjectRow) throws {
    heading = try row.value("heading")
    length = try row.value("length")
    book = try row.target("book")
  }

  func write(to values: inout ObjectValues) throws {
    try values.set("heading", heading)
    try values.set("length", length)
    values.relate("book", to: book)
  }
}

extension Model {
  /// The model of the library's structs.
  static var library: Model {
    get throws { try Model(Author.self, Book.self, Chapter.self) }
  }
}
