import Daybook
import DaybookModel
import DaybookTestSupport
import DifferenceCases

/// A projection that copies the rows of a case of the file of cases.
struct CaseCopies: Projection {
  /// What identifies a copy, and where the values are that a request reads.
  enum Form: CaseIterable {
    /// The key is an attribute with the row's id, and the copy has the values.
    case byID
    /// The key is a link to the row, and the copy has the values.
    case byLink
    /// The key is a link to the row, which has the values; the copy has only what no request reads.
    case throughLink
  }

  let name = "copies"
  let version = 1
  let mode: ProjectionMode
  let form: Form
  let hasTextKeys: Bool

  init(_ form: Form, of feedCase: FeedCase, mode: ProjectionMode) {
    (self.form, self.mode, hasTextKeys) = (form, mode, feedCase.hasTextKeys)
  }

  /// The path from a copy to the object that has the values.
  var path: [String] { form == .throughLink ? ["row"] : [] }

  /// Returns the id of a row's copy.
  func id(of row: ObjectID) throws -> ObjectID {
    try DerivedKey([.uuid(row)], types: [.uuid]).objectID(of: "Copy", in: name)
  }

  var entities: [DerivedEntity] {
    var attributes = [Attribute(name: "payload", type: .string, defaultValue: .string(""))]
    if form != .throughLink {
      attributes += [
        Attribute(name: "section", type: .string, defaultValue: .string("")),
        hasTextKeys
          ? Attribute(name: "key", type: .string, defaultValue: .string(""))
          : Attribute(name: "key", type: .double, defaultValue: .double(0)),
        Attribute(name: "match", type: .boolean, defaultValue: .boolean(false)),
      ]
    }
    if form == .byID { attributes.append(Attribute(name: "row", type: .uuid)) }
    return [
      DerivedEntity(
        Entity(
          name: "Copy", attributes: attributes,
          relationships: form == .byID ? [] : [Relationship(name: "row", target: "Row")],
          indexes: [Index([SortTerm(path: path + ["section"]), SortTerm(path: path + ["key"])])]),
        key: ["row"])
    ]
  }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.deleted("Row") { try rows.delete("Copy", key: [.uuid(id)]) }
    for id in commit.inserted("Row") + commit.changed("Row") {
      let row = try commit.after.require(id)
      let names = form == .throughLink ? ["payload"] : ["payload", "section", "key", "match"]
      try rows.put("Copy", key: [.uuid(id)], Dictionary(uniqueKeysWithValues: names.map { ($0, row[$0]) }))
    }
  }
}
