import DaybookEngine
import DaybookModel
import DaybookQuery

extension Index {
  /// Makes an index by terms in the form of model files: `type.name`, `createdAt:desc`.
  ///
  /// - Throws: `StoreError` with the code `badModel` for a text that is no term.
  public init(terms: String...) throws {
    self.init(
      try terms.map { text in
        do {
          return try SortTerm(parsing: text)
        } catch let error as QueryError {
          throw StoreError(.badModel, "\(error)")
        }
      })
  }
}
