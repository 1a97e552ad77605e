#if Command

import ArgumentParser
import Daybook
import DaybookTools

/// The values of the variables in a filter.
struct FilterVariables: ParsableArguments {
  @Option(
    name: .customLong("variable"),
    help: ArgumentHelp(
      "The text that a variable of the filter stands for, such as text=cake for $text; can be repeated.",
      valueName: "name=text"))
  var assignments: [Assignment] = []

  /// Returns the filter of an option.
  ///
  /// - Parameter having: A condition on groups, which may have variables too.
  /// - Throws: `QueryError` for a filter that cannot be parsed; `ValidationError` for variables without a filter.
  func filter(_ text: String?, beside having: String? = nil) throws -> Filter? {
    guard let text else {
      guard assignments.isEmpty || having != nil else {
        throw ValidationError("--variable gives values to the filter of --where, or of --having.")
      }
      return nil
    }
    return try Filter(parsing: text, variables: assignments)
  }
}

#endif
