import DaybookModel

/// The key by which a result is divided into sections.
///
///     request.section = SectionKey(path: ["type", "name"])
///     request.section = SectionKey(path: ["createdAt"], transform: .day, direction: .descending)
///
/// The rows are sorted by the section key before all sort terms. Objects whose key is null or the empty string form one
/// section, named "", which is the first, or the last if the key descends, unless `nils` places it.
public struct SectionKey: Hashable, Sendable {
  package var path: [String]
  package var transform: Transform
  package var direction: SortDirection
  package var order: [String]?
  package var nils: EndPlacement?
  package var others: EndPlacement?

  /// Creates a section key from the value at the end of a path of names.
  ///
  /// - Parameters:
  ///   - path: The names from the object to the value, over to-one relationships.
  ///   - transform: The transform of the value into a section name.
  ///   - direction: The direction of the sections.
  ///   - order: Names of sections in the order wanted, or `nil` for the order of the values. Sections that are not
  ///     listed follow in their own order; an empty list has no effect. A descending key reverses the whole order.
  ///   - nils: Where the section "" comes among the sections that `order` does not list, or `nil` for the end that the
  ///     direction gives.
  ///   - others: Where the section `#` of ``SectionTransform/initial`` comes among the sections that `order` does not list, or
  ///     `nil` for the end that the direction gives; the section "" is still outside of it. Only for initials: a
  ///     request with another transform is refused.
  public init(
    path: [String], transform: Transform = .none, direction: SortDirection = .ascending, order: [String]? = nil,
    nils: EndPlacement? = nil, others: EndPlacement? = nil
  ) {
    self.path = path
    self.transform = transform
    self.direction = direction
    self.order = order
    self.nils = nils
    self.others = others
  }

  /// Reads the form of the command line: `type.name`, `createdAt.day:desc`, `type.name:nils-last`,
  /// `name.initial:other-last`.
  ///
  /// The direction and the placements of "" and `#` are the last words, in any order. The names of an explicit order
  /// are no part of the text; `order` has them.
  ///
  /// A last word that names a transform becomes the transform; if the model has a field of that name there, the field
  /// takes precedence.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  public init(parsing text: String, order: [String]? = nil) throws(QueryError) {
    let words = try TermText(text, as: .section)
    var path = words.path
    var transform = Transform.none
    if path.count > 1, let last = path.last, let named = Transform(rawValue: last) {
      path.removeLast()
      transform = named
    }
    self.init(
      path: path, transform: transform, direction: words.direction, order: order, nils: words.nils,
      others: words.others)
  }

  /// Reads the names of an explicit order: `Soup, Main course, Dessert`.
  ///
  /// The names are separated by commas, and spaces around them are left out. A name in double quotes may have commas and
  /// spaces at its ends, and a quote in it is written twice; `""`, or nothing between two commas, is the section of nil.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  package static func order(parsing text: String) throws(QueryError) -> [String] {
    var list = ListText(text)
    return try list.names()
  }

  /// Whether the order of the sections is reversed.
  package var isDescending: Bool { direction == .descending }

  /// The transform of a value into the name of a section.
  public typealias Transform = SectionTransform
}

extension SectionKey {
  /// Returns whether both make the same sections.
  ///
  /// The names of an explicit order are compared by their UTF-8 bytes, like sections.
  public static func == (a: SectionKey, b: SectionKey) -> Bool {
    a.path == b.path && a.transform == b.transform && a.direction == b.direction && a.places == b.places
      && a.nils == b.nils && a.others == b.others
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(transform)
    hasher.combine(direction)
    hasher.combine(places)
    hasher.combine(nils)
    hasher.combine(others)
  }

  /// The explicit order as values, which are equal if their bytes are.
  private var places: [Value]? { order?.map { .string($0) } }
}

extension SectionKey: CustomStringConvertible {
  /// The form of the command line, which omits an explicit order.
  public var description: String {
    TermText(
      path: transform == .none ? path : path + [transform.rawValue], direction, nils: nils,
      others: others
    ).text
  }
}
