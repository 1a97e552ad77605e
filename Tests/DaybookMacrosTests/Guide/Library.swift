#if Macros

// The entities of the article about getting started.

import DaybookMacros

@Entity struct Book {
  @Name var title: String
  var pages = 0
  @Relationship(inverse: \Shelf.books) var shelf: Shelf.ID?
}

@Entity struct Shelf {
  @Name var label: String
  var books: Related<Book>
}

#endif
