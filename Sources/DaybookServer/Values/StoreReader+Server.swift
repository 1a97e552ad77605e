#if Server

import Daybook
import DaybookModel
import DaybookQuery
import DaybookTools

extension StoreReader {
  /// Returns whether the store has the commit that a client has seen, with the same hash.
  func has(_ cursor: FeedCursor) throws -> Bool { try cursor.position <= position && hasCommit(of: cursor) }

  /// - Throws: `Problem`: 404 if the model has no such entity, 400 with the place for other names that it lacks;
  ///   `StoreError` with the code `notFound` if the entity is one of a projection without rows.
  func check(_ request: FetchRequest) throws {
    try reading([request.entity]) { try $0.checkOwn(request) }
  }

  private func checkOwn(_ request: FetchRequest) throws {
    guard resolvedModel.entity(named: request.entity) != nil else {
      throw Problem(.notFound, "The model has no entity “\(request.entity)”.", advice: "/api/model shows the entities.")
    }
    do {
      _ = try ResolvedRequest(request.atAnyTime, in: resolvedModel)
    } catch {
      throw Problem(error)
    }
  }

  /// Returns the object that a text names.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist, or is deleted; `ambiguous`.
  func existing(_ text: String) throws -> ObjectID {
    let id = try resolve(text)
    guard try get(id) != nil else { throw StoreError(.notFound, "There is no object \(id).", advice: .readHistory) }
    return id
  }

  /// Returns the derived entities that the model of the interface lists; Daybook's own ones are left out.
  func listedEntities() throws -> [ProjectedEntity] { try derivedEntities().filter { !$0.name.hasPrefix("@") } }

  /// Returns the model as JSON, with the derived entities, which are marked.
  func modelText() throws -> String {
    let derived = try listedEntities()
    guard !derived.isEmpty else { return model.text }
    let members = (model.json.members ?? []).map { member in
      let added = member.key == "entities" ? derived.map(\.json) : []
      return (key: member.key, value: added.isEmpty ? member.value : .array((member.value.elements ?? []) + added))
    }
    return JSONValue.object(members).prettyText
  }

  /// Calls a closure with a reader of a position: this one, if it is its own.
  func reading<Result>(
    _ position: Position, _ body: (borrowing StoreReader) throws -> Result
  ) throws -> Result {
    position == self.position ? try body(self) : try read(at: position, body)
  }
}

private extension ProjectedEntity {
  /// The declaration as in a model file, with the projection, its lag and the names of the key.
  var json: JSONValue {
    let declared = Model(entities: [declaration.entity]).json["entities"]?.elements?.first?.members ?? []
    let derived: JSONValue = [
      "projection": .string(projection), "lag": .integer(Int64(clamping: lag)),
      "key": .array(declaration.key.map(JSONValue.string)),
    ]
    return .object(declared + [("derived", derived)])
  }
}

#endif
