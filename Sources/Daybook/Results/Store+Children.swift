import DaybookModel
import DaybookQuery

extension StoreReader {
  /// A request for the objects that a relationship leads to from one object, in their order if it has one.
  ///
  ///     let ingredients = try store.childrenRequest(of: cake, "ingredients")
  ///     for try await change in try store.liveResults(of: ingredients).changes { ... }
  ///
  /// It is a request like any other: it can be narrowed, sorted otherwise, fetched and followed. Without an order of the
  /// relationship the objects come by id.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there is no such object or relationship.
  public func childrenRequest(of id: ObjectID, _ relationship: String) throws -> FetchRequest {
    guard let key = try reader.find(id) else { throw StoreError(.notFound, "There is no object \(id).") }
    let model = reader.model
    let reference = try model.requireRelationship(relationship, of: key.entity)
    let (there, back) = (model[reference], model[model.inverse(of: reference)])
    let filter = Filter(.path(back.name), .equal, .value(.uuid(id)), quantifier: back.isMany ? .any : nil)
    return FetchRequest(
      entity: model.entities[there.target].name, filter: filter,
      sort: there.isOrdered ? [SortTerm(placeIn: back.name, of: id)] : [])
  }
}

extension Store {
  /// A request for the objects that a relationship leads to from one object; see
  /// ``StoreReader/childrenRequest(of:_:)``.
  public func childrenRequest(of id: ObjectID, _ relationship: String) throws -> FetchRequest {
    try read { try $0.childrenRequest(of: id, relationship) }
  }
}
