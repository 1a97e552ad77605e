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
  /// - Throws: `QueryError` for a filter that cannot be parsed; `ValidationError` for variables without a filter.
  func filter(_ text: String?) throws -> Filter? {
    guard let text else {
      guard assignments.isEmpty else { throw ValidationError("--variable gives values to the filter of --where.") }
      return nil
    }
    return try Filter(parsing: text, variables: assignments)
  }
}

#endif
