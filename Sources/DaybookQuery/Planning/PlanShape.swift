import DaybookModel

/// A planned request whose constants can be replaced.
///
/// Its filter is a comparison of a path with a value, or a conjunction of such comparisons. The resolved filter has the
/// same tests in the same order. A grouped request has no filter, and its condition on groups has no constants to replace.
struct PlanShape: Sendable {
  let model: ResolvedModel
  private let request: ResolvedRequest
  private let plan: Plan

  /// The limit on the size of the constants in a key of any index, in bytes.
  ///
  /// An index that had a path twice would have its constant twice in a key; that is not cut either.
  private static let maximumKeySize = SortKey.maximumTermsSize / 2 - 16

  /// Returns `nil` if the plan of another request of the same form could differ in more than the constants.
  init?(_ planned: PlannedRequest, in model: ResolvedModel) {
    let (request, plan) = (planned.request, planned.plan)
    guard plan.isRepeatable else { return nil }
    if let filter = request.request.filter {
      guard request.grouping == nil, let resolved = request.filter,
        PlanShape.rebound(resolved.node, to: filter.node) != nil
      else { return nil }
    }
    (self.model, self.request, self.plan) = (model, request, plan)
  }

  /// Returns whether another request has this shape.
  func isShape(of other: FetchRequest, in model: ResolvedModel) -> Bool {
    guard model === self.model else { return false }
    let own = request.request
    guard own.entity == other.entity, own.isExact == other.isExact, (own.limit == nil) == (other.limit == nil),
      own.sort == other.sort,
      own.section == other.section, own.timeZone == other.timeZone, own.shows == other.shows,
      own.showsWholeObjects == other.showsWholeObjects, own.grouping == other.grouping
    else { return false }
    switch (own.filter?.node, other.filter?.node) {
    case (nil, nil): return true
    case (let own?, let other?): return own.hasShape(of: other)
    default: return false
    }
  }

  /// Plans a request of this shape; `nil` if its constants are of other types, or too long.
  func planned(_ other: FetchRequest) -> PlannedRequest? {
    // Resolving reports what is wrong with them.
    guard other.limit ?? 0 >= 0, other.offset >= 0 else { return nil }
    var filter = request.filter
    // The resolved filter of a grouped request is its condition on groups, which the other one has as it is.
    if let own = filter, let written = other.filter {
      guard let node = PlanShape.rebound(own.node, to: written.node) else { return nil }
      filter = ResolvedFilter(node: node)
    }
    let request = ResolvedRequest(other, like: request, filter: filter)
    return plan.repeated(for: request).map { PlannedRequest(request, $0) }
  }

  /// Returns resolved tests with the constants of other ones; `nil` if these cannot take their places.
  private static func rebound(_ own: ResolvedFilter.Node, to other: Filter.Node) -> ResolvedFilter.Node? {
    var size = 0
    switch (own, other) {
    case (.test(let test), .comparison(let comparison)):
      return rebound(test, to: comparison, &size).map { .test($0) }
    case (.all(let tests), .all(let comparisons)):
      guard tests.count == comparisons.count else { return nil }
      var nodes: [ResolvedFilter.Node] = []
      nodes.reserveCapacity(tests.count)
      for (test, comparison) in zip(tests, comparisons) {
        guard case .test(let test) = test, case .comparison(let comparison) = comparison,
          let test = rebound(test, to: comparison, &size)
        else { return nil }
        nodes.append(.test(test))
      }
      return .all(nodes)
    default: return nil
    }
  }

  /// - Parameter size: The size of the constants of the tests before, to which the constant's size is added.
  private static func rebound(
    _ test: ResolvedFilter.Test, to comparison: Filter.Comparison, _ size: inout Int
  ) -> ResolvedFilter.Test? {
    guard test.quantifier == nil, comparison.isOfShape, case .path(let path) = test.subject, path.order == .codepoint,
      case .compare(let relation, .value(let former), let order) = test.condition,
      case .value(let literal) = comparison.right.form, let value = literal.converted(to: path.type),
      let type = value.literalType, type == former.literalType
    else { return nil }
    // Resolving reports names of unknown entities and NaN.
    guard path.field != .entity else { return nil }
    if case .double(let number) = value, number.isNaN { return nil }
    size += value.largestKeySize
    guard size <= maximumKeySize else { return nil }
    return ResolvedFilter.Test(
      subject: test.subject, quantifier: nil, condition: .compare(relation, .value(value), order),
      comparison: comparison)
  }
}

private extension Filter.Node {
  /// Returns whether both make the same tests, except for the constants.
  func hasShape(of other: Filter.Node) -> Bool {
    switch (self, other) {
    case (.comparison(let own), .comparison(let other)): return own.hasShape(of: other)
    case (.all(let own), .all(let other)):
      guard own.count == other.count else { return false }
      for (own, other) in zip(own, other) {
        guard case .comparison(let own) = own, case .comparison(let other) = other, own.hasShape(of: other) else {
          return false
        }
      }
      return true
    default: return false
    }
  }
}

private extension Filter.Comparison {
  /// Whether it compares a path with one value.
  var isOfShape: Bool {
    guard quantifier == nil, options.isEmpty, case .path = left.form, case .value = right.form else { return false }
    return true
  }

  func hasShape(of other: Filter.Comparison) -> Bool {
    guard operation == other.operation, isOfShape, other.isOfShape, case .path(let own) = left.form,
      case .path(let other) = other.left.form
    else { return false }
    return own.aggregate == nil && other.aggregate == nil && own.names == other.names
  }
}

private extension Value {
  /// The largest size of the value in a key in bytes, if strings are in the order of code points.
  var largestKeySize: Int {
    switch self {
    case .string(let text): 3 + 2 * text.utf8.count
    case .data(let bytes): 3 + 2 * bytes.count
    case .large: 3 + 2 * LargeValue.encodedSizeInBytes
    // A sign, an exponent, and up to 39 digits with an end.
    case .decimal: 48
    case .null, .integer, .double, .boolean, .date, .uuid: 17
    }
  }
}
