#if Server

import Daybook
import DaybookEngine
import DaybookModel

/// The names under which the objects of an entity are shown.
///
/// A model that changes them changes every object that a client has, though no commit names one.
struct ShownNames: Hashable, Sendable {
  private let fields: [String]

  private init?(_ entity: String, _ model: ResolvedModel) {
    guard let index = model.entity(named: entity) else { return nil }
    // Objects of descendants are shown under the names of their own entities.
    fields = model.members(of: index).map { model.entities[$0] }.filter { !$0.isRetired }.flatMap { entity in
      let attributes = entity.attributes.filter { !$0.isRetired }
      let relationships = entity.relationships.filter { !$0.isRetired && !$0.isMany }
      return (entity.index == index ? [] : [entity.name])
        + attributes.map { "\($0.name) \($0.type)" } + relationships.map { "\($0.name) link" }
    }
  }

  /// Returns which of some entities are shown under other names at the end of a span than before it.
  static func changed(
    of entities: [String], from start: Position, to end: Position, in journal: LMDBJournal
  ) throws -> Set<String> {
    guard start < end else { return [] }
    let models = try journal.modelPositions()
    guard let first = models.last(where: { $0 <= start }), let last = models.last(where: { $0 <= end }), first != last
    else { return [] }
    let (old, new) = (try journal.model(at: first), try journal.model(at: last))
    return Set(entities.filter { ShownNames($0, old) != ShownNames($0, new) })
  }
}

#endif
