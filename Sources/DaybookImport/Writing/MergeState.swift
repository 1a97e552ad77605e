#if Import

import DaybookModel

/// What a store has of former imports, for an import into it.
struct MergeState {
  /// What former imports have written of the objects that differ from the source.
  var imported: [ObjectID: ImportedObject] = [:]
  /// The objects of the store whose rows the source has no longer, with the places of a report.
  var gone: [Gone] = [] {
    didSet { goneIDs = Set(gone.map(\.id)) }
  }
  /// The identities of these objects, whose links stay until they are deleted.
  private(set) var goneIDs: Set<ObjectID> = []
  /// Whether something differs; otherwise nothing has to be written.
  var hasDifferences = true

  /// An object whose row is gone.
  struct Gone {
    let id: ObjectID
    /// The entity of the store.
    let entity: String
    /// The entity of the imported model.
    let target: String
  }
}

#endif
