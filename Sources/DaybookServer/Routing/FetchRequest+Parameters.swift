#if Server

import Daybook
import DaybookQuery

extension FetchRequest {
  /// Makes a request of parameters: `where`, `variable`, `sort`, `section`, `sectionOrder`, `show`, `timezone`, `limit` and
  /// `offset`.
  ///
  /// - Parameter parameters: Returns the values of a parameter.
  /// - Throws: `Problem` with the status 400, and the place, for a text that cannot be parsed, or an order of sections
  ///   without sections.
  init(entity: String, parameters: (String) -> [String]) throws {
    self.init(
      entity: entity,
      filter: try Filter.parameter(parameters),
      sort: try parameters("sort").map { text in try Problem.placing("sort") { try SortTerm(parsing: text) } },
      section: try SectionKey.parameter(parameters),
      timeZone: parameters("timezone").first ?? "UTC",
      limit: parameters("limit").first.flatMap { Int($0) } ?? FetchLimits.standard,
      offset: parameters("offset").first.flatMap { Int($0) } ?? 0,
      shows: try Problem.placing("show") { try FetchRequest.paths(parsing: parameters("show")) })
  }

  /// The same request without limit and offset.
  var unlimited: FetchRequest {
    var request = self
    (request.limit, request.offset) = (nil, 0)
    return request
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
