import DaybookEngine
import DaybookModel
import LMDB

extension Store {
  /// Creates a store and opens it.
  ///
  /// - Throws: `StoreError`: `exists` if the path exists, `badModel`, `inputOutput`.
  public static func create(at path: String, model: Model, options: StoreOptions = StoreOptions()) throws -> Store {
    do {
      var path = path
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      guard !StoreDirectory(path).exists else {
        throw StoreError(.exists, "There is something at \(path) already.", advice: "Choose another path.")
      }
      try StoreDirectory(path).create(model: model, options: options)
      return try Store(at: path, options: options)
    } catch let error as LMDBError where error.kind == .noSuchFile {
      throw StoreError(
        .inputOutput, "The store \(path) cannot be created: its directory does not exist.", advice: "Create that first."
      )
    } catch {
      throw StoreError.translating(error)
    }
  }
}
