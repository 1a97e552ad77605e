#if Server

import Daybook
import DaybookQuery
import DaybookTools

extension FetchRequest {
  /// Makes a request of parameters: `where`, `variable`, `only`, `group`, `having`, `order`, `sort`, `section`, `sectionOrder`,
  /// `show`, `timezone`, `limit` and `offset`.
  ///
  /// - Parameter parameters: Returns the values of a parameter.
  /// - Throws: `Problem` with the status 400, and the place, for a text that cannot be parsed, an order of sections without
  ///   sections, or a condition on groups without groups.
  init(entity: String, parameters: (String) -> [String]) throws {
    let grouping = try Grouping.parameter(parameters)
    self.init(
      entity: entity,
      filter: try Filter.parameter(parameters),
      sort: try Problem.placing("sort") {
        try parameters("sort").map { try grouping == nil ? SortTerm(parsing: $0) : SortTerm(parsingGroups: $0) }
      },
      section: try SectionKey.parameter(parameters),
      timeZone: parameters("timezone").first ?? "UTC",
      limit: parameters("limit").first.flatMap { Int($0) } ?? FetchLimits.standard,
      offset: parameters("offset").first.flatMap { Int($0) } ?? 0,
      shows: try grouping == nil
        ? Problem.placing("show") { try FetchRequest.paths(parsing: parameters("show")) } : nil,
      grouping: grouping, isExact: parameters("only").first == "true")
  }

  /// The same request without limit and offset.
  var unlimited: FetchRequest {
    var request = self
    (request.limit, request.offset) = (nil, 0)
    return request
  }
}

private extension Grouping {
  /// Reads the parameters `group`, `having` and `order`, and `show` for groups; returns `nil` without `group`.
  static func parameter(_ parameters: (String) -> [String]) throws -> Grouping? {
    guard !parameters("group").isEmpty else {
      for name in ["having", "order"] where !parameters(name).isEmpty {
        throw Problem(
          .badRequest, "“\(name)” is about groups, and none are asked for.",
          advice: "Give “group” too, which may be empty for one group of all objects.", parameter: name)
      }
      return nil
    }
    return Grouping(
      by: try Problem.placing("group") { try GroupKey.list(parsing: parameters("group")) },
      showing: try Problem.placing("show") { try GroupValue.list(parsing: parameters("show")) },
      order: try Problem.placing("order") { try parameters("order").map { try SortTerm(parsing: $0) } },
      having: try Problem.placing("having") {
        try parameters("having").first.map { text in
          try Filter(parsingHaving: text, variables: parameters("variable").compactMap { Assignment($0) })
        }
      })
  }
}

private extension SectionKey {
  /// Reads the parameters `section` and `sectionOrder`.
  static func parameter(_ parameters: (String) -> [String]) throws -> SectionKey? {
    let orders = parameters("sectionOrder")
    guard let text = parameters("section").first else {
      guard orders.isEmpty else {
        throw Problem(
          .badRequest, "An order of sections is given, and no sections.", advice: "Give “section” too.",
          parameter: "sectionOrder")
      }
      return nil
    }
    var key = try Problem.placing("section") { try SectionKey(parsing: text) }
    if !orders.isEmpty {
      key.order = try Problem.placing("sectionOrder") { try orders.flatMap { try SectionKey.order(parsing: $0) } }
    }
    return key
  }
}

#endif
