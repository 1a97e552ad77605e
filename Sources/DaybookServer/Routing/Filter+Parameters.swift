#if Server

import Daybook
import DaybookQuery
import DaybookTools

extension Filter {
  /// Returns the filter of the parameters `where` and `variable`, or `nil` without one.
  ///
  /// - Parameter parameters: Returns the values of a parameter.
  /// - Throws: `Problem` with the status 400: with the place, for a text that cannot be parsed; for variables without a filter.
  static func parameter(_ parameters: (String) -> [String]) throws -> Filter? {
    let variables = parameters("variable").compactMap { Assignment($0) }
    guard let text = parameters("where").first else {
      guard variables.isEmpty || !parameters("having").isEmpty else {
        throw Problem(
          .badRequest, "There is no filter with variables.", advice: "Give it as where.", parameter: "variable")
      }
      return nil
    }
    return try Problem.placing("where") { try Filter(parsing: text, variables: variables) }
  }
}

#endif
