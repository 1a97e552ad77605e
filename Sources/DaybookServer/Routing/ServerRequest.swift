import Daybook
import DaybookTools
import HTTPTypes
import Hummingbird

/// A request whose parameters are known to its route.
struct ServerRequest: Sendable {
  let request: Request
  let context: ServerContext
  /// The values of the parameters of path and query, by name; a parameter that is not repeatable has one.
  private let values: [String: [String]]

  /// Reads the parameters.
  ///
  /// - Throws: `Problem` with the status 400 for a parameter that the route does not have, or that is given twice, and for
  ///   a value that is not of the parameter's kind.
  init(_ request: Request, _ context: ServerContext, of route: Route) throws {
    self.request = request
    self.context = context
    var values: [String: [String]] = [:]
    let segments = request.uri.path.split(separator: "/")
    for (part, segment) in zip(route.path.split(separator: "/"), segments) where part.first == "{" {
      values[String(part.dropFirst().dropLast())] = [try FormText.decoded(segment)]
    }
    for (name, value) in try FormText.parameters(of: request.uri.query ?? "") {
      guard let parameter = route.parameters.first(where: { $0.name == name }), !route.isInPath(name) else {
        throw Problem(
          .badRequest, "There is no parameter “\(name)”.",
          advice: "These are known: \(route.queryParameters.map(\.name).joined(separator: ", ")).", parameter: name)
      }
      guard parameter.isRepeatable || values[name] == nil else {
        throw Problem(.badRequest, "The parameter “\(name)” is given twice.", parameter: name)
      }
      try parameter.check(value)
      values[name, default: []].append(value)
    }
    self.values = values
  }

  /// Returns the value of a parameter, or `nil` if it was left out.
  subscript(name: String) -> String? { values[name]?.first }

  /// Returns all values of a parameter.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  func flag(_ name: String) -> Bool { self[name] == "true" }

  func position(_ name: String) -> PositionText? { self[name].flatMap { PositionText($0) } }

  func time(_ name: String) -> Timestamp? { self[name].flatMap { Timestamp($0) } }
}
