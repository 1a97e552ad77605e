#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

/// The code of the article about getting started.
///
/// The article is the main file of a program, where writes are synchronous; so they are in synchronous functions here.
@Suite(.hangLimit) struct GettingStartedTests {
  @Test func itsProgramRuns() async throws {
    let directory = try TemporaryDirectory()
    var printed: [[String]] = []
    func print(_ name: String, _ titles: [String]) { printed.append([name] + titles) }
    func print(_ titles: [String]) { printed.append(titles) }

    let (store, novel) = try write(to: directory.path("library.daybook"))

    let long = Book.where { $0.pages > 500 }.sorted(by: \.title).sectioned(by: \.shelf.label)
    for section in try store.fetch(long).sections {
      print(section.name, section.rows.map(\.title))
    }

    let position = try writeMore(to: store)
    for try await change in store.changes(of: long, from: position) {
      print(try change.rows().map(\.title))
      break
    }

    func goBack() throws {
      try store.write(author: "ben") { tx in try tx.delete(novel) }
      let before = try store.at(position).fetch(long)
      print(before.rows.map(\.title))
    }
    try goBack()

    #expect(printed == [["Fiction", "Middlemarch"], ["Anna Karenina"], ["Middlemarch"]])
    try closeAndVerify(store)
  }

  private func write(to path: String) throws -> (Store, Book.ID) {
    let store = try Store(at: path, model: try Model(Book.self, Shelf.self))
    let novel = try store.write(author: "anna") { tx in
      let fiction = try tx.insert(Shelf(label: "Fiction"))
      return try tx.insert(Book(title: "Middlemarch", pages: 880, shelf: fiction))
    }
    return (store, novel)
  }

  private func writeMore(to store: Store) throws -> Position {
    let position = try store.position
    try store.write(author: "ben") { tx in
      try tx.insert(Book(title: "Anna Karenina", pages: 960))
    }
    return position
  }
}

#endif
