import DaybookModel
import DaybookQuery

extension EditingContext {
  /// Looks at what the context shows.
  func withTip<Result>(_ body: (Reader) throws -> Result) throws -> Result {
    switch ground {
    case .context(let context): return try context.withTip { try body($0.adding(pending)) }
    case .store(let store):
      return try store.read { reader in
        try base.extend(to: reader, limitInBytes: store.options.viewOfPastLimitInBytes)
        return try body(base.reader(over: reader.reader).adding(pending))
      }
    }
  }

  /// The object of an identity with its pending edits, or nil if there is none.
  ///
  /// - Throws: `StoreError`: `expired` if too much has changed in the store since ``position``; so do all that read.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try locked { try withTip { tip in try tip.find(id).flatMap { try tip.object($0) } } }
  }

  /// The answer to a request with the pending edits; its position is that of the context.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `expired`.
  public func fetch(_ request: FetchRequest) throws -> FetchedResults {
    try locked { try withTip { try $0.fetch(request, at: root.base.position, usesConstraints: false) } }
  }

  /// The objects that a relationship leads to, in their order if it has one, else by id.
  ///
  /// - Throws: `StoreError`: `notFound` if there is no such object or relationship; `expired`.
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    try locked {
      try withTip { tip in
        guard let key = try tip.find(id) else { throw StoreError(.notFound, "There is no object \(id).") }
        return try tip.targets(of: tip.model.requireRelationship(relationship, of: key.entity), from: id)
      }
    }
  }
}
