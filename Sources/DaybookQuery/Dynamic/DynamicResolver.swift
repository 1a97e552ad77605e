import DaybookModel

/// Prepares the tests of a ``DynamicFilter``.
struct DynamicResolver {
  let roots: [String]
  /// Returns the advice for a path that can have no value, or `nil`.
  let fault: (DynamicFilter.Path) -> String?
  private(set) var paths: [DynamicFilter.Path] = []

  init(roots: [String], fault: @escaping (DynamicFilter.Path) -> String?) {
    self.roots = roots
    self.fault = fault
  }

  mutating func test(_ comparison: Filter.Comparison) throws(FilterFault) -> DynamicTest {
    if let quantifier = comparison.quantifier {
      throw DynamicResolver.fault(of: quantifier, at: comparison.left.place)
    }
    let (left, right) = (try operand(comparison.left), try operand(comparison.right))
    return try DynamicTest(comparison, left: left, right: right)
  }

  /// The fault of a quantifier: values without a model have no relationships.
  static func fault(of quantifier: Filter.Quantifier, at place: Place) -> FilterFault {
    FilterFault(
      message: "\(quantifier.rawValue) asks for a path over a to-many relationship, and there is none here",
      place: place)
  }

  private mutating func operand(_ operand: Filter.Operand) throws(FilterFault) -> DynamicTest.Operand {
    switch operand.form {
    case .value(let value): return .value(value)
    case .values(let values):
      return .values(
        values.compactMap { element in
          if case .value(let value) = element.form { (value, element.place) } else { nil }
        })
    case .path(let path): return .path(try resolve(path, at: operand.place))
    case .time(_, let word):
      throw FilterFault(message: "“\(word)” is unknown here: commits do not change with the time", place: operand.place)
    case .count:
      throw FilterFault(
        message: "COUNT asks for a path over a to-many relationship, and there is none here", place: operand.place)
    }
  }

  private mutating func resolve(_ path: Filter.KeyPath, at place: Place) throws(FilterFault) -> DynamicFilter.Path {
    guard path.aggregate == nil else {
      throw FilterFault(message: "@ follows a to-many relationship, and there is none here", place: place)
    }
    let known = roots.map { "\($0)." }.joined(separator: " or ")
    guard let root = path.names.first, roots.contains(root) else {
      throw FilterFault(
        message: "“\(path.names.first ?? "")” is unknown here: a path begins with \(known)", place: place)
    }
    guard path.names.count > 1 else {
      throw FilterFault(message: "a name is expected behind “\(root).”", place: place)
    }
    let resolved = DynamicFilter.Path(root: root, name: path.names.dropFirst().joined(separator: "."))
    if let message = fault(resolved) {
      throw FilterFault(message: message, place: path.places.dropFirst().first ?? place)
    }
    if !paths.contains(resolved) { paths.append(resolved) }
    return resolved
  }
}
