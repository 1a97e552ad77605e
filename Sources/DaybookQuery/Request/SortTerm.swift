import DaybookModel

/// One level of the order of a result.
///
///     request.sort = [SortTerm(path: ["type", "name"]), SortTerm(path: ["createdAt"], isDescending: true)]
///
/// Null comes first, and a descending term reverses its whole order, including null, unless ``nils`` places it.
public struct SortTerm: Hashable, Sendable {
  /// The names from the object to the value, over to-one relationships.
  public var path: [String]
  /// Whether the order is reversed.
  public var isDescending: Bool
  /// The order of strings, or `nil` for the attribute's own.
  public var order: StringOrder?
  /// Where objects without a value come, or `nil` for the end that the direction gives: first, or last if the term
  /// descends.
  public var nils: EndPlacement?
  /// The parent whose targets are sorted by place, or `nil` for a term that sorts by a value.
  ///
  /// See ``init(placeIn:of:isDescending:nils:)``.
  public let parent: ObjectID?

  /// Creates a term that sorts by the value at the end of a path of names.
  ///
  /// - Parameters:
  ///   - order: The order of strings, in place of the attribute's: `SortTerm(path: ["name"], order: .locale("sv"))`.
  ///     Such a term is sorted in memory, unless the attribute of an index has the same order.
  ///   - nils: Where objects without a value come. An index sorts by such a term too, if the filter fixes all terms
  ///     before it or leaves no nil; otherwise a term with nil at the other end than its direction has it is sorted in
  ///     memory.
  public init(
    path: [String], isDescending: Bool = false, order: StringOrder? = nil, nils: EndPlacement? = nil
  ) {
    self.path = path
    self.isDescending = isDescending
    self.order = order
    self.nils = nils
    parent = nil
  }

  /// Creates a term that sorts by the objects' places in an ordered relationship.
  ///
  ///     request.sort = [SortTerm(placeIn: "recipe", of: cake)]   // the cake's ingredients in their order
  ///
  /// - Parameters:
  ///   - relationship: The relationship of the request's own entity whose inverse is ordered.
  ///   - parent: The object whose targets are sorted. Objects that are not its targets have no place.
  ///   - nils: Where objects without a place come.
  public init(
    placeIn relationship: String, of parent: ObjectID, isDescending: Bool = false, nils: EndPlacement? = nil
  ) {
    path = [relationship]
    self.isDescending = isDescending
    order = nil
    self.nils = nils
    self.parent = parent
  }

  /// Reads the form of the command line: `name`, `type.name:desc`, `servings:asc`, `due:nils-last`, `due:desc:nils-first`,
  /// `name:natural`, `name:locale:sv:desc`, and for places in an ordered relationship `recipe:in:` with the identity of the
  /// parent.
  ///
  /// The direction and the placement of nil are the last words, in either order.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  public init(parsing text: String) throws(QueryError) {
    let words = try TermText(text, as: .sort)
    path = words.path
    isDescending = words.isDescending
    order = words.order
    nils = words.nils
    parent = words.parent
  }
}

extension SortTerm: CustomStringConvertible {
  /// The form of the command line.
  public var description: String {
    TermText(path: path, isDescending: isDescending, nils: nils, order: order, parent: parent).text
  }
}
