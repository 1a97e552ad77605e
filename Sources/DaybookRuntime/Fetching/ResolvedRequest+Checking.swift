import DaybookEngine
import DaybookModel
import DaybookQuery

extension ResolvedRequest {
  /// Resolves the names in a request.
  ///
  /// - Throws: `StoreError` with the code `badRequest`.
  package convenience init(checking request: FetchRequest, in model: ResolvedModel) throws(StoreError) {
    do {
      try self.init(request, in: model)
    } catch {
      throw StoreError(.badRequest, "\(error)")
    }
  }
}
