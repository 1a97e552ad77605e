import Daybook

/// The part of a store's git history that an import needs to continue.
struct StoredHistory {
  /// The last commit imported, or `nil` before the first import.
  let lastRevision: GitHash?
  /// The position at which the store was read.
  let position: Position
  let editor: TreeEditor
  /// The object of each node of the editor, by its number.
  let objects: [ObjectID]
  let authors: [PathName: ObjectID]

  init(reading store: Store) throws {
    self = try store.read { try StoredHistory($0) }
  }

  private init(_ reader: borrowing StoreReader) throws {
    position = reader.position
    authors = Dictionary(
      try Self.all(GitModel.author, reader).map { (PathName($0["email"].text.utf8), $0.id) },
      uniquingKeysWith: { first, _ in first })
    guard let revision = try reader.lastInserted(GitModel.revision) else {
      (lastRevision, editor, objects) = (nil, TreeEditor(), [])
      return
    }
    guard let hash = GitHash(revision["hash"].text) else {
      throw Self.notAnImport("Revision \(revision.id.shortForm) has the hash `\(revision["hash"].text)`")
    }
    lastRevision = hash
    let folders = try Self.all(GitModel.folder, reader)
    let files = try Self.all(GitModel.file, reader)
    objects = folders.map(\.id) + files.map(\.id)
    editor = try Self.editor(folders, files)
  }

  private static func all(_ entity: String, _ reader: borrowing StoreReader) throws -> [StoredObject] {
    try reader.fetch(Request(entity: entity)).rows
  }

  private static func editor(_ folders: [StoredObject], _ files: [StoredObject]) throws -> TreeEditor {
    let nodes = Dictionary(
      folders.enumerated().map { ($1.id, NodeID($0)) }, uniquingKeysWith: { first, _ in first })
    let treeFolders = folders.enumerated().map { number, folder in
      TreeFolder(id: NodeID(number), parent: folder.target("parent").flatMap { nodes[$0] }, name: folder["name"].text)
    }
    let treeFiles = try files.enumerated().map { number, file in
      guard let folder = file.target("folder").flatMap({ nodes[$0] }), let mode = GitMode(file["mode"].text),
        let blob = GitHash(file["blob"].text)
      else {
        throw notAnImport(
          "File \(file.id.shortForm) has the mode `\(file["mode"].text)`, the blob `\(file["blob"].text)`")
      }
      return TreeFile(
        id: NodeID(folders.count + number), folder: folder, name: file["name"].text, mode: mode, blob: blob)
    }
    do {
      return try TreeEditor(folders: treeFolders, files: treeFiles)
    } catch {
      throw StoreError(.badValue, error.message)
    }
  }

  private static func notAnImport(_ what: String) -> StoreError {
    StoreError(
      .badValue, "The store is not what an import left: \(what).", advice: "Import the history into a new store.")
  }
}
