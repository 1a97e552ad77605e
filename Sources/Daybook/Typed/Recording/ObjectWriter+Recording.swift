import DaybookEngine
import DaybookModel
import DaybookRuntime

extension ObjectWriter where Self: ~Copyable {
  /// Records a named event about an object; see ``record(_:about:_:)``.
  ///
  ///     try store.write { tx in
  ///       try tx.record(RecipeCooked(about: cake, servings: 6))
  ///     }
  ///
  /// - Throws: `StoreError`: `notFound` for an event that the model lacks or an object that never existed, `badValue`
  ///   for a value that cannot be stored, or for an event with links.
  public func record<Named: Recordable>(_ event: Named) throws {
    var values = ObjectValues()
    try event.write(to: &values)
    guard values.links.isEmpty, values.lists.isEmpty else {
      throw StoreError(
        .badValue, "\(Named.eventName) writes links, and an event has none.", advice: "Record ids as values.")
    }
    try edit { try $0.record(Named.eventName, about: event.about.objectID, values.attributes) }
  }
}
