#if Command

import ArgumentParser
import Daybook
import DaybookTools

/// How the objects of a request are grouped, apart from the values that are shown of each group.
struct GroupOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Show groups of the objects with equal values at this key path, such as type.name or createdAt.month, in place of the \
      objects; can be repeated, up to four times. With '' there is one group of all objects.
      """, valueName: "key"))
  var group: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --group: only groups that meet this; it names shown values and keys, as in sum:servings > 40.",
      valueName: "filter"))
  var having: String?

  @Option(
    help: ArgumentHelp(
      "With --group: the order of the objects, in which first:PATH and last:PATH are found; can be repeated.",
      valueName: "key"))
  var order: [String] = []

  /// Whether none of the options was given.
  var isEmpty: Bool { group.isEmpty && having == nil && order.isEmpty }

  func validate() throws {
    if group.isEmpty, having != nil { throw ValidationError("--having needs --group.") }
    if group.isEmpty, !order.isEmpty { throw ValidationError("--order needs --group.") }
  }

  /// Returns the grouping, or `nil` if the objects themselves are shown.
  ///
  /// - Parameters:
  ///   - values: Texts with the values that are shown; the number of objects without one.
  ///   - variables: The values of the variables in the condition on the groups.
  /// - Throws: `QueryError` for invalid text.
  func grouping(showing values: [String], _ variables: FilterVariables) throws -> Grouping? {
    guard !group.isEmpty else { return nil }
    return Grouping(
      by: try GroupKey.list(parsing: group), showing: try GroupValue.list(parsing: values),
      order: try order.map { try SortTerm(parsing: $0) },
      having: try having.map { try Filter(parsingHaving: $0, variables: variables.assignments) })
  }
}

#endif
