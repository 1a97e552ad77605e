import Daybook
import DaybookModel

extension Transaction {
  /// Returns the object that a text names; see ``StoreReader/resolve(_:includesDeleted:)``.
  package func resolve(_ part: String, includesDeleted: Bool = false) throws -> ObjectID {
    if let id = ObjectID(part) { return id }
    return try builder.perform {
      try builder.fold.settle()
      var search = try IdentitySearch(part)
      try builder.reader.search(&search, includesDeleted: includesDeleted)
      // The verb that receives a derived object reports which projection writes it.
      if search.isEmpty { try builder.keeper?.read { try $0.searchRows(&search, includesDeleted: includesDeleted) } }
      return try search.result()
    }
  }

  /// Returns an entity of the model.
  ///
  /// - Throws: `StoreError`: `notFound` if the model has no entity of this name, `badRequest` for one of a projection.
  package func requireEntity(named name: String) throws -> ResolvedEntity {
    resolvedModel.entities[try builder.requireEntity(name)]
  }

  /// Returns the leaves of the tree in the state of this write.
  ///
  /// See ``StoreReader/treePaths(from:showing:decodingNames:)``.
  package func treePaths(
    from root: ObjectID? = nil, showing attributes: [String] = [],
    decodingNames decode: (String) -> [UInt8] = { Array($0.utf8) }
  ) throws -> TreePaths {
    try builder.fold.settle()
    return try TreePaths(in: builder.reader, from: root, showing: attributes, decodingNames: decode)
  }
}
