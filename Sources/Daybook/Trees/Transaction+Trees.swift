import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Transaction {
  /// Returns the objects above an object in the state of this write; see ``StoreReader/ancestors(of:over:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badRequest`.
  public func ancestors(of id: ObjectID, over relationship: String) throws -> [TreeObject] {
    try builder.perform {
      try builder.fold.settle()
      return try builder.reader.ancestors(of: id, over: relationship)
    }
  }

  /// Returns an object and everything below it in the state of this write; see ``StoreReader/subtree(of:over:depth:)``.
  ///
  /// - Throws: `StoreError`: `notFound`, `badRequest`.
  public func subtree(of id: ObjectID, over relationship: String, depth: Int? = nil) throws -> [TreeObject] {
    try builder.perform {
      try builder.fold.settle()
      return try builder.reader.subtree(of: id, over: relationship, depth: depth)
    }
  }
}
