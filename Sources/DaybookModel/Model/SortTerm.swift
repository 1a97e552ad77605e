/// One level of the order of a result, or of an index.
///
///     request.sort = [SortTerm(path: ["type", "name"]), SortTerm(path: ["createdAt"], .descending)]
///
/// Null comes first, and a descending term reverses its whole order, including null, unless `nils` places it.
public struct SortTerm: Hashable, Sendable {
  /// The names from the object to the value, over to-one relationships.
  package var path: [String]
  /// The direction of the order.
  package var direction: SortDirection
  /// The order of strings, or `nil` for the attribute's own.
  package var order: StringOrder?
  /// Where objects without a value come, or `nil` for the end that the direction gives: first, or last if the term
  /// descends.
  package var nils: EndPlacement?
  /// The parent whose targets are sorted by place, or `nil` for a term that sorts by a value.
  package let parent: ObjectID?

  /// Creates a term that sorts by the value at the end of a path of names.
  ///
  /// - Parameters:
  ///   - path: The names from the object to the value, over to-one relationships.
  ///   - direction: The direction of the order.
  ///   - order: The order of strings, in place of the attribute's: `SortTerm(path: ["name"], order: .locale("sv"))`.
  ///     Such a term is sorted in memory, unless the attribute of an index has the same order.
  ///   - nils: Where objects without a value come, or `nil` for the end that the direction gives: first, or last if the
  ///     term descends. An index sorts by such a term too, if the filter fixes all terms
  ///     before it or leaves no nil; otherwise a term with nil at the other end than its direction has it is sorted in
  ///     memory.
  public init(
    path: [String], _ direction: SortDirection = .ascending, order: StringOrder? = nil, nils: EndPlacement? = nil
  ) {
    self.init(path: path, direction, order: order, nils: nils, parent: nil)
  }

  /// Creates a term that sorts by the objects' places in an ordered relationship.
  ///
  ///     request.sort = [SortTerm(placeIn: "recipe", of: cake)]   // the cake's ingredients in their order
  ///
  /// - Parameters:
  ///   - relationship: The relationship of the request's own entity whose inverse is ordered.
  ///   - parent: The object whose targets are sorted. Objects that are not its targets have no place.
  ///   - direction: The direction of the order.
  ///   - nils: Where objects without a place come.
  public init(
    placeIn relationship: String, of parent: ObjectID, _ direction: SortDirection = .ascending,
    nils: EndPlacement? = nil
  ) {
    self.init(path: [relationship], direction, order: nil, nils: nils, parent: parent)
  }

  package init(
    path: [String], _ direction: SortDirection, order: StringOrder?, nils: EndPlacement?, parent: ObjectID?
  ) {
    self.path = path
    self.direction = direction
    self.order = order
    self.nils = nils
    self.parent = parent
  }

  /// Whether the order is reversed.
  package var isDescending: Bool { direction == .descending }
}

extension SortTerm {
  /// The path in the form of a model file.
  package var pathText: String { path.joined(separator: ".") }
  /// The term of an index in the form of a model file.
  package var indexText: String { isDescending ? pathText + ":desc" : pathText }
}
