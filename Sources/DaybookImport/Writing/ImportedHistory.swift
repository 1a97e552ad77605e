#if Import

import Daybook
import DaybookModel

/// Reads what former imports of a source have written, from the events of their commits.
struct ImportedHistory {
  /// The commits of former imports, rising.
  let positions: [Position]

  /// Finds the commits of an import.
  ///
  /// - Parameters:
  ///   - kind: The kind of the import, such as `coredata`.
  ///   - source: The identity of the source; `nil` for a kind whose objects are named within the store.
  /// - Complexity: O(*n*) for *n* commits, of which the headers are read.
  init(of kind: String, source: String?, in store: Store) throws {
    positions = try store.files.withJournal { journal in
      var found: [Position] = []
      var position = Position(1)
      let head = try journal.head()
      while position <= head {
        let header = try journal.header(at: position).header
        if !header.isModel, !header.reasons.metadata.isEmpty {
          let metadata = try header.reasons.decodedMetadata()
          let isOwn = source.map { metadata["source"] == .some(.string($0)) } ?? true
          if isOwn, metadata["import"] == .some(.string(kind)) { found.append(position) }
        }
        position = position.next
      }
      return found
    }
  }

  /// Returns the names that the last import gave in place of the source's, by `Entity` or `Entity.field`.
  func renames(in store: Store) throws -> [String: String] {
    guard let last = positions.last else { return [:] }
    let header = try store.files.withJournal { try $0.header(at: last).header }
    guard case .string(let text)? = try header.reasons.decodedMetadata()[ImportPlan.renamesKey],
      let members = try? JSONValue(parsing: text).members
    else { return [:] }
    return Dictionary(
      members.compactMap { key, value in value.stringValue.map { (key, $0) } }, uniquingKeysWith: { $1 })
  }

  /// Returns what the commits have written of some objects.
  ///
  /// - Complexity: O(*n*) for *n* events of the commits; the memory is for the objects only.
  func objects(_ ids: Set<ObjectID>, in store: Store) throws -> [ObjectID: ImportedObject] {
    guard !ids.isEmpty else { return [:] }
    var fold = ImportedFold(of: ids, try store.read { $0.resolvedModel })
    try store.files.withJournal { journal in
      for position in positions {
        try journal.withCommit(at: position) { commit in
          var events = commit.events
          while !events.isAtEnd { try fold.add(events.next()) }
        }
      }
    }
    return fold.objects
  }
}

#endif
