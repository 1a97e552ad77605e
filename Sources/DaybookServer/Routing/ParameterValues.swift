#if Server

import HTTPTypes

/// The values of an operation's parameters, by name; a parameter that is not repeatable has one.
struct ParameterValues: Sendable {
  private var values: [String: [String]] = [:]

  /// Reads the parameters of a query.
  ///
  /// - Parameters:
  ///   - query: The query, as it stands in an address: pairs of names and values, encoded.
  ///   - known: The parameters that may be given.
  /// - Throws: `Problem` with the status 400 for a parameter that is not known, or that is given twice, and for a value that is
  ///   not of the parameter's kind.
  init(_ query: String, of known: [Parameter]) throws {
    for (name, value) in try FormText.parameters(of: query) {
      guard let parameter = known.first(where: { $0.name == name }) else {
        throw Problem(
          .badRequest, "There is no parameter “\(name)”.",
          advice: "These are known: \(known.map(\.name).joined(separator: ", ")).", parameter: name)
      }
      guard parameter.isRepeatable || values[name] == nil else {
        throw Problem(.badRequest, "The parameter “\(name)” is given twice.", parameter: name)
      }
      try parameter.check(value)
      values[name, default: []].append(value)
    }
  }

  /// All values of a parameter; none if it was left out.
  subscript(name: String) -> [String] {
    get { values[name] ?? [] }
    set { values[name] = newValue }
  }
}

#endif
