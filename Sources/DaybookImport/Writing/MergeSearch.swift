#if Import

import Daybook
import DaybookModel

/// Finds the objects in which a source differs from the store, without writing.
///
/// Of these alone the history is read, and where nothing differs there is no commit.
struct MergeSearch {
  private let writer: ImportWriter
  private let model: Model
  private var different: Set<ObjectID> = []
  private var gone: [MergeState.Gone] = []

  init(_ writer: ImportWriter) {
    self.writer = writer
    model = writer.model
  }

  /// Returns what a merge must know.
  ///
  /// - Parameter history: The commits of former imports; without any, each object is new here.
  mutating func state(in store: Store, _ history: ImportedHistory) throws -> MergeState {
    try store.read { reader in
      (different, gone) = ([], [])
      for route in writer.routes.entities { try compareObjects(of: route, reader) }
      for link in writer.routes.links { try compareLinks(of: link, reader) }
      try findGone(reader)
    }
    var state = MergeState()
    state.gone = gone
    state.hasDifferences = !different.isEmpty
    state.imported = try history.objects(different, in: store)
    return state
  }

  private mutating func compareObjects(of route: EntityRoute, _ reader: borrowing StoreReader) throws {
    // A part of the model that is new has no objects yet.
    let isKnown = reader.model.entity(route.name) != nil
    try route.source.forEachObject(of: route.sourceEntity) { object in
      let id = writer.id(of: object.key, route.source)
      guard isKnown, let head = try reader.object(id) else {
        different.insert(id)
        return
      }
      let values = try route.values(of: object).values
      if route.fields.contains(where: { field in field.map { values[$0.name] ?? .null != head[$0.name] } ?? false }) {
        different.insert(id)
      }
    }
  }

  private mutating func compareLinks(of link: LinkRoute, _ reader: borrowing StoreReader) throws {
    guard let entity = reader.model.entity(link.entity), entity.relationship(link.name) != nil else {
      return try writer.forEachGroup(of: link) { different.formUnion($0.targets) }
    }
    try writer.forEachGroup(of: link) { group in
      guard try reader.object(group.source) != nil else {
        // The targets of a new object may have been moved to it.
        different.formUnion(group.targets)
        return
      }
      let present = try reader.linkTargets(of: group.source, link.name)
      if link.isOrdered ? present == group.targets : Set(present) == Set(group.targets) { return }
      different.insert(group.source)
      different.formUnion(Set(present).symmetricDifference(group.targets))
    }
  }

  /// Finds the objects with identities of this source that it has no longer.
  private mutating func findGone(_ reader: borrowing StoreReader) throws {
    let names = Set(writer.routes.entities.map(\.name))
    for name in names.sorted() where reader.model.entity(name) != nil {
      let routes = writer.routes.entities.filter { $0.name == name }
      var present: Set<ObjectID> = []
      for route in routes {
        try route.source.forEachObject(of: route.sourceEntity) { present.insert(writer.id(of: $0.key, route.source)) }
      }
      let hasChosen = routes.contains { route in
        writer.identities[route.source.name]?.chosenEntities.contains(route.sourceEntity) ?? false
      }
      try reader.forEachObject(in: Request(entity: name).exactly().fetch) { object, _ in
        if !present.contains(object.id), hasChosen || object.id.isNamed {
          gone.append(MergeState.Gone(id: object.id, entity: name, target: routes[0].target))
          different.insert(object.id)
        }
        return true
      }
    }
  }
}

#endif
