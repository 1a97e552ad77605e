import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

extension StoreReader {
  /// Returns the request that the store returns under the same name.
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
