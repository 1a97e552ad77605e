import DaybookMacros
import Foundation

/// An application that people use in a browser, on a store of its own.
///
/// How one is written, here of notes:
///
/// 1. **A folder with Swift**, `Examples/Notes`: the entities with their rules, and the application.
///
///        @Entity struct Note { @Name @Attribute(.length(1...200)) var title: String }
///
///        package let notes = Application(
///          "notes", title: "Notes", summary: "What must not be forgotten.", model: try Model(Note.self),
///          files: ["notes.js": PackageResources.notes_js],
///          lists: [NamedList("notes", Note.all.sorted(by: \.title))],
///          forms: [Form("note", for: Note.self, new: { _ in Note(title: "") })],
///          actions: [Action("delete note") { tx, input in try tx.delete(input.id("note") as Note.ID) }])
///
///    ``NamedList`` is a request that a page follows, ``Form`` what a page may do in an editing context while a form is
///    open, and ``Action`` a write outside of forms. All of them are typed, and the page calls them by name.
/// 2. **A folder with the page** in it, `Page`: the module `notes.js`, and styles in `notes.css` if it needs some. The
///    HTML is the same for all applications. The module gives its parts to the frame, which has the time slider, undo, the
///    name of the author, and the history of an object:
///
///        import { start } from "/support/application.js";
///        import { ListPart } from "/support/list-part.js";
///        start({ list: (app) => new ListPart(app, { list: "notes", form: "note" }) });
///
///    `list-part.js` is a live list with the keys of a grid, at any position of the past; `form-view.js` shows a form.
///    Their first lines list what they take. The modules of `daybook serve` are at `/page`.
/// 3. **A line in the executable**, `Examples/Applications/Applications.swift`, and the name of the folder in the list
///    `applications` of the package description.
///
/// The store is made at the first start, with contents if the application has some, and opened again at each other one.
package struct Application: Sendable {
  /// The name in paths, such as `todo`: of the page, of the store, of the module.
  package let name: String
  package let title: String
  /// One sentence for the first page.
  package let summary: String
  package let model: Model
  let files: [String: [UInt8]]
  let lists: [NamedList]
  let forms: [Form]
  let actions: [Action]
  let streams: [NamedStream]
  private let projections: [any Projection]
  private let create: (@Sendable (_ path: String) throws -> Void)?
  private let contents: (@Sendable (borrowing Transaction) throws -> Void)?

  /// - Parameters:
  ///   - name: The name in paths.
  ///   - title: The title of the page.
  ///   - summary: One sentence for the first page.
  ///   - model: The entities.
  ///   - files: The files of the page, by name; one of them is the module `NAME.js`.
  ///   - lists: The lists that the page shows.
  ///   - forms: The forms that the page opens.
  ///   - actions: The writes outside of forms.
  ///   - streams: The streams that the page reads, of values that the application computes.
  ///   - projections: The projections of its derived entities, which its lists show as they show all others.
  ///   - create: Makes the store at a path at the first start, for example as a copy of a ready-made one; `nil` for an
  ///     empty one with the model.
  ///   - contents: Writes what a new store has in it, as its first commit.
  package init(
    _ name: String, title: String, summary: String, model: Model, files: [String: [UInt8]], lists: [NamedList],
    forms: [Form] = [], actions: [Action] = [], streams: [NamedStream] = [], projections: [any Projection] = [],
    create: (@Sendable (_ path: String) throws -> Void)? = nil,
    contents: (@Sendable (borrowing Transaction) throws -> Void)? = nil
  ) {
    (self.name, self.title, self.summary, self.model, self.files) = (name, title, summary, model, files)
    (self.lists, self.forms, self.actions, self.streams) = (lists, forms, actions, streams)
    (self.projections, self.create, self.contents) = (projections, create, contents)
  }

  /// Opens the store in a directory, and makes it if it is not there.
  ///
  /// - Parameters:
  ///   - directory: Where the store is.
  ///   - options: The options of the store, to which the application's projections are added. A new store joins the stream of the journal's address, or begins it if it holds
  ///     no store; without an address it has a journal of its own.
  /// - Throws: `StoreError`, for example `badModel` if the application's model cannot follow the one of the store that is
  ///   there; what the application throws.
  package func openStore(
    in directory: String, options: StoreOptions = StoreOptions()
  ) throws -> Store {
    let path = "\(directory)/\(name).daybook"
    var options = options
    options.projections += projections
    if try StoreDirectory(path).exists { return try existing(at: path, options) }
    let isReplicated = options.journal?.address != nil
    if isReplicated, let store = try joined(at: path, options) { return store }
    try make(at: path, options)
    guard isReplicated else { return try Store(at: path, model: model, options: options) }
    do {
      return try Replication.begin(at: path, options: options)
    } catch {
      try FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// Returns the store that is there; one of a former version of the application gets the present model.
  private func existing(at path: String, _ options: StoreOptions) throws -> Store {
    let store = try Store(at: path, options: options)
    do {
      if try !store.plan(model).isEmpty { try store.apply(model, info: CommitInfo(message: "model of \(title)")) }
      return store
    } catch {
      store.close()
      throw error
    }
  }

  /// Returns the store of a stream as another node, or `nil` if the stream holds none.
  private func joined(at path: String, _ options: StoreOptions) throws -> Store? {
    do {
      return try Replication.join(at: path, options: options)
    } catch let error as StoreError where error.code == .notFound {
      return nil
    }
  }

  private func make(at path: String, _ options: StoreOptions) throws {
    if let create { return try create(path) }
    let store = try Store.create(at: path, model: model, options: options)
    defer { store.close() }
    if let contents { try store.write(author: "ready-made", message: "what was there at first") { try contents($0) } }
  }
}
