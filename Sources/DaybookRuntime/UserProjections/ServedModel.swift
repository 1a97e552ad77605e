import DaybookEngine
import DaybookModel

/// A model of the store with the derived entities of one projection.
///
/// It is kept between the runs of the projection: to resolve it takes longer than to apply a small commit.
final class ServedModel: Sendable {
  /// The model of the store, with the entities of the projections that the projection reads.
  let stored: ResolvedModel
  let description: DerivedModel
  let model: ResolvedModel
  let dependents: Dependents
  private let layouts: [RowLayout]

  /// - Throws: `StoreError` with the code `badModel` if the model does not allow the entities.
  init(_ description: DerivedModel, in stored: ResolvedModel) throws(StoreError) {
    self.stored = stored
    self.description = description
    let model = try stored.serving([description])
    self.model = model
    dependents = Dependents(model)
    layouts = description.entities.compactMap { declared in
      model.entity(named: declared.entity.name).map {
        RowLayout(model.entities[$0], key: declared.key, of: description.projection)
      }
    }
  }

  /// Returns the layout of an entity's rows, or `nil` if the projection has no entity with the name.
  ///
  /// - Complexity: O(*n*) for *n* entities, of which a projection has few.
  func layout(of entity: String) -> RowLayout? {
    for layout in layouts where layout.entity.name == entity { return layout }
    return nil
  }
}
