import Daybook

/// The model of a store that holds a git history.
///
/// A `File` is in a `Folder`, which is in another one up to the root, the only `Folder` without a parent. Each commit
/// of the history is a `Revision` of an `Author`. Files and folders have their current state; their former states are
/// in the store's own journal, with one commit for each git commit.
package enum GitModel {
  package static let folder = "Folder"
  package static let file = "File"
  package static let author = "Author"
  package static let revision = "Revision"

  /// The model, which is commit 1 of the store.
  package static let model = Model(entities: [folderEntity, fileEntity, authorEntity, revisionEntity])

  private static let folderEntity = Entity(
    name: folder, nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
    relationships: [
      Relationship(name: "parent", target: folder, inverse: "folders", isOptional: true),
      Relationship(name: "folders", target: folder, inverse: "parent", isMany: true, deleteRule: .cascade),
      Relationship(name: "files", target: file, inverse: "folder", isMany: true, deleteRule: .cascade),
    ])

  private static let fileEntity = Entity(
    name: file, nameAttribute: "name",
    attributes: [
      Attribute(name: "name", type: .string), Attribute(name: "mode", type: .string),
      Attribute(name: "blob", type: .string),
    ],
    relationships: [Relationship(name: "folder", target: folder, inverse: "files")])

  private static let authorEntity = Entity(
    name: author,
    attributes: [Attribute(name: "name", type: .string), Attribute(name: "email", type: .string)],
    relationships: [
      Relationship(name: "revisions", target: revision, inverse: "author", isMany: true, deleteRule: .deny)
    ],
    unique: [["email"]])

  private static let revisionEntity = Entity(
    name: revision,
    attributes: [
      Attribute(name: "hash", type: .string), Attribute(name: "subject", type: .string),
      Attribute(name: "timeStamp", type: .date),
    ],
    relationships: [Relationship(name: "author", target: author, inverse: "revisions")],
    unique: [["hash"]], indexes: [Index([SortTerm(path: ["timeStamp"])])])
}
