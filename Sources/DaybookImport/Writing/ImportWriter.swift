#if Import

import Daybook
import DaybookModel

/// Writes the objects and links of an import.
///
/// One commit for all is preferred. A new store, or a batch size, allows several: objects come before the objects that
/// require them, each with the links that it requires, and all other links follow.
final class ImportWriter {
  let routes: ImportRoutes
  let model: Model
  /// The identities of each source's objects, by the name of the source.
  let identities: [String: ObjectIdentities]
  let commits: ImportCommits
  /// What the store has of former imports; `nil` for a new store.
  let merge: MergeState?
  let sourceWins: Bool
  var tally = ImportTally()
  private let progress: (Int) -> Void
  private var objectCount = 0
  /// The objects that the present commit has inserted, where some exist already.
  var inserted: Set<ObjectID> = []
  /// The objects that were deleted in the store and that the import inserted again, with all of their links.
  var revived: Set<ObjectID> = []

  init(
    _ routes: ImportRoutes, in model: Model, _ identities: [String: ObjectIdentities], _ commits: ImportCommits,
    merge: MergeState? = nil, sourceWins: Bool = false, progress: @escaping (Int) -> Void
  ) {
    self.routes = routes
    self.model = model
    self.identities = identities
    self.commits = commits
    self.merge = merge
    self.sourceWins = sourceWins
    self.progress = progress
  }

  func id(of key: SourceKey, _ source: any ObjectSource) -> ObjectID {
    // Each source of the routes has identities.
    identities[source.name]?.id(of: key, in: source) ?? ObjectID(name: source.objectName(key), in: .zero)
  }

  /// Makes a commit, whose closure a store can run again.
  func make(at time: Timestamp? = nil, _ body: (borrowing Transaction) throws -> Void) throws {
    let (tallyBefore, revivedBefore) = (tally, revived)
    try commits.make(at: time) { tx in
      tally = tallyBefore
      revived = revivedBefore
      inserted = []
      try body(tx)
    }
  }

  /// Writes everything in one commit.
  ///
  /// - Throws: `StoreError` with the code `tooLarge` if one commit cannot hold it.
  func writeAtOnce() throws {
    try commits.make { tx in
      (tally, objectCount, inserted, revived) = (ImportTally(), 0, [], [])
      for route in routes.entities {
        try route.source.forEachObject(of: route.sourceEntity) { try write($0, route, tx) }
      }
      for link in routes.links { try writeLinks(link, tx) }
      try deleteGone(tx)
    }
  }

  private func writeLinks(_ link: LinkRoute, _ tx: borrowing Transaction) throws {
    guard merge != nil else {
      let notes = try link.source.forEachLink(of: link.field) { found in
        if link.counts(found) { tally.linkCounts[link.target, default: 0] += 1 }
        try relate(found, link, tx)
      }
      tally.linkNotes[link.target, default: []] += notes
      return
    }
    try forEachGroup(of: link) { try mergeLinks($0, link, tx) }
  }

  /// Writes an object: inserts it, or compares it with the one that exists.
  func write(_ object: SourceObject, _ route: EntityRoute, _ tx: borrowing Transaction) throws {
    objectCount += 1
    progress(objectCount)
    let id = id(of: object.key, route.source)
    let values = try route.values(of: object).values
    guard merge != nil else {
      try tx.insert(route.name, values, id: id)
      return
    }
    try mergeObject(object, id, values, route, tx)
  }

  /// Writes a link of a new store.
  func relate(_ found: SourceLink, _ link: LinkRoute, _ tx: borrowing Transaction) throws {
    try tx.relate(
      id(of: found.source, link.source), link.name, to: id(of: found.target, link.source),
      at: link.isOrdered ? .last : .unspecified)
  }
}

#endif
