import Daybook
import DaybookQuery
import DaybookTools

/// The requests and conditions that parameters make.
extension ServerRequest {
  /// Returns the fetch request of the parameters ``Parameter/request``.
  ///
  /// - Throws: `Problem` with the status 400, and the place, for a text that cannot be parsed.
  func fetchRequest() throws -> FetchRequest {
    try FetchRequest(entity: self["entity"] ?? "", parameters: { all($0) })
  }

  /// Returns the commit filter of the parameters ``Parameter/commitFilter``.
  ///
  /// - Parameter entity: Whether the entity is one of the conditions.
  /// - Throws: `Problem`; `StoreError` for an object that never existed.
  func commitFilter(in store: Store) throws -> CommitFilter {
    let object = try self["object"].map { text in
      try store.read { try $0.resolve(text, includesDeleted: true) }
    }
    var filter = CommitFilter(
      entity: self["entity"], kind: self["kind"].flatMap { CommitFilter.Kind(rawValue: $0) }, event: self["event"],
      object: object, author: self["author"], message: self["message"], correlation: self["correlation"],
      since: time("since"), until: time("until"),
      condition: try self["where"].map { try Problem.placing("where") { [text = $0] in try Filter(parsing: text) } })
    filter.ignoresCase = flag("ignoreCase")
    return filter
  }
}

extension FetchRequest {
  /// Makes a request of parameters: `where`, `sort`, `section`, `timezone`, `limit` and `offset`.
  ///
  /// - Parameter parameters: Returns the values of a parameter.
  /// - Throws: `Problem` with the status 400, and the place, for a text that cannot be parsed.
  init(entity: String, parameters: (String) -> [String]) throws {
    self.init(
      entity: entity,
      filter: try parameters("where").first.map { text in
        try Problem.placing("where") { try Filter(parsing: text) }
      },
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

extension Problem {
  /// Runs a closure that parses a parameter.
  ///
  /// - Throws: `Problem` with the name of the parameter, and the column in its value where the error has one.
  static func placing<Result>(_ parameter: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw Problem.translating(error, in: .url, parameter: parameter) ?? error
    }
  }
}

/// The kinds of events that a commit filter may name.
enum CommitKinds {
  static let names = CommitFilter.Kind.allCases.map(\.rawValue)
}
