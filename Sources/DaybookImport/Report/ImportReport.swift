#if Import

import DaybookModel

/// What an import did with each declaration of the source, and with the rows that did not fit.
///
/// Each part of the source's model has an entry in ``entities``, or is named in ``dropped``. The text is for people; the
/// JSON has the same parts, for programs.
package struct ImportReport: Sendable, Hashable {
  /// The version of the model by which the source was read; `nil` for a source without versions.
  package var version: String?
  package var entities: [EntityReport] = []
  /// The declarations that have no counterpart.
  package var dropped: [DroppedPart] = []
  /// The declarations that became something else.
  package var changed: [ChangedPart] = []
  /// The rows, values and links that were not read as they are stored.
  package var values: [ValueReport] = []
  /// The tables that are not read, with the reason.
  package var skippedTables: [String] = []
  /// The facts about the source as a whole, such as the choice of its version.
  package var notes: [String] = []
  /// The last position of the store; `nil` if nothing was written, as in a dry run.
  package var head: Position?
  /// The number of commits that the import made.
  package var commitCount = 0

  package init() {}
}

/// An entity of the source with the name that it has in the store.
package struct EntityReport: Sendable, Hashable {
  package var name: String
  /// The name in the store.
  package var newName: String
  /// The number of objects that were read.
  package var objectCount = 0
  /// What became of the objects of a store that was there before; `nil` for a new store.
  package var changes: ObjectChanges?
  package var attributes: [FieldReport] = []
  package var relationships: [FieldReport] = []

  package init(name: String, newName: String) {
    self.name = name
    self.newName = newName
  }
}

/// The numbers of objects that an import inserted, changed and deleted in a store that was there before.
package struct ObjectChanges: Sendable, Hashable {
  package var inserted = 0
  package var changed = 0
  package var deleted = 0

  package init(inserted: Int = 0, changed: Int = 0, deleted: Int = 0) {
    (self.inserted, self.changed, self.deleted) = (inserted, changed, deleted)
  }
}

/// An attribute or a relationship of the source with its counterpart.
package struct FieldReport: Sendable, Hashable {
  package var name: String
  /// The name in the store; the same for a part that is dropped.
  package var newName: String
  /// The type of the attribute in the store, or `nil` for a relationship.
  package var type: String?
  /// The reason why there is no counterpart, or `nil` if there is one.
  package var dropReason: String?
  /// A remark about the counterpart.
  package var note: String?
  /// The number of links that were read, or `nil` for an attribute and for a side whose inverse has the number.
  package var linkCount: Int?

  package init(_ name: String, as newName: String? = nil, type: String? = nil) {
    self.name = name
    self.newName = newName ?? name
    self.type = type
  }
}

/// A declaration without a counterpart.
package struct DroppedPart: Sendable, Hashable {
  /// The place, as in `Note.fetched`.
  package let what: String
  package let why: String

  package init(_ what: String, _ why: String) {
    self.what = what
    self.why = why
  }
}

/// A declaration that became something else.
package struct ChangedPart: Sendable, Hashable {
  package let what: String
  package let from: String
  package let to: String
  package let why: String

  package init(_ what: String, from: String, to: String, why: String) {
    self.what = what
    self.from = from
    self.to = to
    self.why = why
  }
}

/// Rows, values or links that were not read as they are stored.
package struct ValueReport: Sendable, Hashable {
  package let what: String
  package var count: Int
  /// The name of the first object.
  package let first: String?
  /// The stored value of the first.
  package let was: String?
  /// The value in its place.
  package let became: String?

  package init(_ what: String, count: Int, first: String? = nil, was: String? = nil, became: String? = nil) {
    self.what = what
    self.count = count
    self.first = first
    self.was = was
    self.became = became
  }
}

#endif
