import Daybook
import DaybookGit

/// A projection that counts the commits and changed files of an imported history by author and month.
struct MonthlyRevisions: Projection {
  static let request = Request(
    entity: "AuthorMonth", sort: [SortTerm(path: ["author", "email"]), SortTerm(path: ["month"])],
    section: SectionKey(path: ["author", "email"]))

  let name = "monthly-revisions"
  let version = 1
  let mode: ProjectionMode

  var entities: [DerivedEntity] {
    [
      DerivedEntity(
        Entity(
          name: "AuthorMonth",
          attributes: [
            Attribute(name: "month", type: .string),
            Attribute(name: "commits", type: .integer, defaultValue: .integer(0)),
            Attribute(name: "files", type: .integer, defaultValue: .integer(0)),
          ],
          relationships: [Relationship(name: "author", target: GitModel.author)],
          indexes: [Index([SortTerm(path: ["author", "email"]), SortTerm(path: ["month"])])]),
        key: ["author", "month"])
    ]
  }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.inserted(GitModel.revision) {
      guard let author = try commit.after.require(id).target("author") else { continue }
      let files = try changedPathCount(of: commit)
      try rows.update("AuthorMonth", key: [.uuid(author), .string(commit.time.month)]) {
        $0["commits"] = .integer(try $0.integer("commits") + 1)
        $0["files"] = .integer(try $0.integer("files") + Int64(files))
      }
    }
  }

  /// Returns the number of paths at which the tree differs: a file that moved has left one and taken another.
  private func changedPathCount(of commit: borrowing AppliedCommit) throws -> Int {
    let changed = commit.changed(GitModel.file)
    let old = try entries(of: commit.deleted(GitModel.file) + changed, in: commit.before)
    let new = try entries(of: commit.inserted(GitModel.file) + changed, in: commit.after)
    return Set(old.keys).union(new.keys).count { old[$0] != new[$0] }
  }

  /// Returns the modes and blobs of files by their paths, which are bytes: equivalent names are two.
  private func entries(of files: [ObjectID], in reader: borrowing StoreReader) throws -> [[UInt8]: [Value]] {
    var entries: [[UInt8]: [Value]] = [:]
    for id in files {
      let file = try reader.require(id)
      var (path, folder) = (bytes(file["name"]), file.target("folder"))
      while let above = folder {
        let object = try reader.require(above)
        path = bytes(object["name"]) + [0x2F] + path
        folder = object.target("parent")
      }
      entries[path] = [file["mode"], file["blob"]]
    }
    return entries
  }

  private func bytes(_ name: Value) -> [UInt8] {
    if case .string(let text) = name { Array(text.utf8) } else { [] }
  }
}
