import DaybookEngine
import DaybookModel

extension DerivedEntity {
  /// Creates the entity that a struct describes.
  ///
  ///     let entities: [DerivedEntity] = [.init(AuthorMonth.self)]
  ///
  /// If the struct cannot be declared, as with a default that cannot be stored, a store does not open with the projection.
  public init(_ type: any Derivable.Type) {
    do {
      self = try type.entity
    } catch {
      self.init(type.entityName, fault: (error as? StoreError)?.message ?? "\(error)")
    }
  }
}
