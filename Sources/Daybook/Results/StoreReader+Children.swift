import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension StoreReader {
  /// Returns a request for the objects that a relationship of one object leads to.
  ///
  ///     let ingredients = try store.childrenRequest(of: cake, "ingredients")
  ///     for try await change in try store.liveResults(of: ingredients).changes { ... }
  ///
  /// The request can be narrowed, sorted in another way, fetched and followed like any other request. The objects are
  /// in the order of the relationship, or sorted by id if it has no order.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object or relationship.
  package func childrenRequest(of id: ObjectID, _ relationship: String) throws -> Request<StoredObject> {
    guard let key = try reader.find(id) else { throw StoreError(.notFound, "There is no object \(id).") }
    let model = reader.model
    let reference = try model.requireRelationship(relationship, of: key.entity)
    let (there, back) = (model[reference], model[model.inverse(of: reference)])
    let filter = Filter(.path(back.name), .equal, .value(.uuid(id)), quantifier: back.isMany ? .any : nil)
    return Request(
      entity: model.entities[there.target].name, filter: filter,
      sort: there.isOrdered ? [SortTerm(placeIn: back.name, of: id)] : [])
  }
}
