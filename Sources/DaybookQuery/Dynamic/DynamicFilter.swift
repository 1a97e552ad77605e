import DaybookModel

/// A filter over named values whose types are known only when it is evaluated.
///
/// The values have no model: `metadata.build >= 200 AND event.verdict == "good"`. Each path is a root and a name under
/// it. Numbers of different types are compared as numbers; other values of different types are unequal, and neither is
/// less. A literal is compared in the value's type where it has one: text in quotes is a UUID beside a UUID.
///
/// The rules for missing values are the same as for ``Filter``: a missing value equals `nil`, and meets no test of
/// order or text.
package struct DynamicFilter: Sendable {
  private let node: Node

  private indirect enum Node: Sendable {
    case constant(Bool)
    case not(Node)
    case all([Node])
    case any([Node])
    case test(DynamicTest)
  }

  /// The names of a value: the root and the name under it.
  package struct Path: Hashable, Sendable {
    package let root: String
    /// The name; words that a filter's text divides by dots are joined by dots.
    package let name: String
  }

  /// The paths in the filter, in the order of the text.
  package let paths: [Path]

  /// Prepares a filter.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - roots: The first words that paths may have.
  ///   - fault: Returns the reason why a path can have no value, or `nil`.
  /// - Throws: A ``QueryError`` that points at a path which cannot have a value, or at a test that no value meets.
  package init(
    _ filter: Filter, roots: [String], fault: @escaping (Path) -> String? = { _ in nil }
  ) throws(QueryError) {
    guard filter.depth <= Filter.maximumDepth else {
      throw QueryError("the filter nests deeper than \(Filter.maximumDepth)", inFilter: "", utf8Offset: 0)
    }
    // A filter built in code has no places: its canonical text has.
    let written = filter.text == nil ? try Filter(parsing: filter.description) : filter
    var resolver = DynamicResolver(roots: roots, fault: fault)
    do throws(FilterFault) {
      node = try DynamicFilter.node(written.node, &resolver)
      paths = resolver.paths
    } catch {
      throw QueryError(error.message, inFilter: written.text ?? "", utf8Offset: error.place.utf8Offset)
    }
  }

  private static func node(_ node: Filter.Node, _ resolver: inout DynamicResolver) throws(FilterFault) -> Node {
    switch node {
    case .constant(let isMet): return .constant(isMet)
    case .not(let inner): return .not(try self.node(inner, &resolver))
    case .all(let parts): return .all(try nodes(parts, &resolver))
    case .any(let parts): return .any(try nodes(parts, &resolver))
    case .comparison(let comparison): return .test(try resolver.test(comparison))
    case .related(let quantifier, let objects): throw DynamicResolver.fault(of: quantifier, at: objects.place)
    }
  }

  private static func nodes(
    _ parts: [Filter.Node], _ resolver: inout DynamicResolver
  ) throws(FilterFault) -> [Node] {
    var nodes: [Node] = []
    for part in parts { nodes.append(try node(part, &resolver)) }
    return nodes
  }

  /// Returns whether values meet the filter.
  ///
  /// - Parameter value: Returns the value of a path; null for a missing one.
  /// - Throws: The errors of `value`.
  package func matches(_ value: (Path) throws -> Value) throws -> Bool {
    try DynamicFilter.isMet(node, value)
  }

  private static func isMet(_ node: Node, _ value: (Path) throws -> Value) throws -> Bool {
    switch node {
    case .constant(let isMet): return isMet
    case .not(let inner): return try !isMet(inner, value)
    case .all(let parts):
      for part in parts where try !isMet(part, value) { return false }
      return true
    case .any(let parts):
      for part in parts where try isMet(part, value) { return true }
      return false
    case .test(let test): return try test.isMet(value)
    }
  }
}
