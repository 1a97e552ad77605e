import Daybook
import DaybookQuery

extension FetchRequest {
  /// Makes a request of parameters: `where`, `variable`, `sort`, `section`, `timezone`, `limit` and `offset`.
  ///
  /// - Parameter parameters: Returns the values of a parameter.
  /// - Throws: `Problem` with the status 400, and the place, for a text that cannot be parsed.
  init(entity: String, parameters: (String) -> [String]) throws {
    self.init(
      entity: entity,
      filter: try Filter.parameter(parameters),
      sort: try parameters("sort").map { text in try Problem.placing("sort") { try SortTerm(text) } },
      section: try parameters("section").first.map { text in
        try Problem.placing("section") { try SectionKey(text) }
      },
      timeZone: parameters("timezone").first ?? "UTC",
      limit: parameters("limit").first.flatMap { Int($0) } ?? FetchLimits.standard,
      offset: parameters("offset").first.flatMap { Int($0) } ?? 0)
  }

  /// The same request without limit and offset.
  var unlimited: FetchRequest {
    var request = self
    (request.limit, request.offset) = (nil, 0)
    return request
  }
}
