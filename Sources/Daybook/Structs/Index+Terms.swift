import DaybookEngine
import DaybookModel
import DaybookQuery

extension Index {
  /// Makes an index by terms in the form of model files: `type.name`, `createdAt:desc`.
  ///
  /// - Throws: `StoreError` with the code `badModel` for an invalid term.
  public init(terms: String...) throws {
    self.init(
      try terms.map { text in
        do {
          let term = try SortTerm(parsing: text)
          if let order = term.order {
            throw StoreError(
              .badModel, "An index has the orders of its attributes; leave “:\(order.rawValue)” out of “\(text)”.")
          }
          if let nils = term.nils {
            throw StoreError(
              .badModel,
              "An index has nil where its direction has it; leave “:nils-\(nils.rawValue)” out of “\(text)”.")
          }
          guard term.parent == nil else {
            throw StoreError(.badModel, "An index sorts by values, not by places, as “\(text)” does.")
          }
          return Term(term.path, isDescending: term.isDescending)
        } catch let error as QueryError {
          throw StoreError(.badModel, "\(error)")
        }
      })
  }
}
