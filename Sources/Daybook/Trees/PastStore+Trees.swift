import DaybookModel

extension PastStore {
  /// Returns the objects that were above an object, the nearest first; see ``StoreReader/ancestors(of:over:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badRequest`.
  public func ancestors(of id: ObjectID, over relationship: String) throws -> [TreeObject] {
    try read { try $0.ancestors(of: id, over: relationship) }
  }

  /// Returns an object and everything that was below it; see ``StoreReader/subtree(of:over:depth:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badRequest`.
  public func subtree(of id: ObjectID, over relationship: String, depth: Int? = nil) throws -> [TreeObject] {
    try read { try $0.subtree(of: id, over: relationship, depth: depth) }
  }
}
