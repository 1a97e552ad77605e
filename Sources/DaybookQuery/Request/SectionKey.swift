import DaybookModel

/// The key by which a result is divided into sections.
///
///     request.section = SectionKey(["type", "name"])
///     request.section = SectionKey(["createdAt"], transform: .day, isDescending: true)
///
/// The rows are sorted by the section key before all sort terms. Objects whose key is null or the empty string form one
/// section, named "", which is the first, or the last if the key descends.
public struct SectionKey: Hashable, Sendable {
  /// The names from the object to the value, over to-one relationships.
  public var path: [String]
  /// The transform of the value into a section name.
  public var transform: Transform
  /// Whether the sections are in descending order.
  public var isDescending: Bool
  /// Names of sections in the order wanted, or `nil` for the order of the values.
  ///
  /// Sections that are not listed follow in their own order; an empty list has no effect. A descending key reverses the
  /// whole order.
  public var order: [String]?

  /// Creates a section key from the value at the end of a path of names.
  public init(_ path: [String], transform: Transform = .none, isDescending: Bool = false, order: [String]? = nil) {
    self.path = path
    self.transform = transform
    self.isDescending = isDescending
    self.order = order
  }

  /// Reads the form of the command line: `type.name`, `createdAt.day:desc`, `name.initial`.
  ///
  /// A last word that names a transform becomes the transform; if the model has a field of that name there, the field
  /// takes precedence.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  public init(_ text: String) throws(QueryError) {
    let words = try TermText(text)
    var path = words.path
    var transform = Transform.none
    if path.count > 1, let last = path.last, let named = Transform(rawValue: last) {
      path.removeLast()
      transform = named
    }
    self.init(path, transform: transform, isDescending: words.isDescending)
  }

  /// The transform of a value into the name of a section.
  public enum Transform: String, Hashable, Sendable, CaseIterable {
    /// The value itself, as text.
    case none
    /// The day of a date in the request's time zone: `2026-01-02`.
    case day
    /// The ISO week of a date: `2026-W01`.
    case week
    /// The month of a date: `2026-01`.
    case month
    /// The year of a date: `2026`.
    case year
    /// The first character of a string in upper case, composed (NFC), or `#` for a non-letter.
    ///
    /// For an attribute with the order of a locale, the letter under which the locale's lists have the string: É is under
    /// E in French, Å after Z in Swedish.
    case initial
  }
}

extension SectionKey {
  /// Returns whether both make the same sections.
  ///
  /// The names of an explicit order are compared by their UTF-8 bytes, like sections.
  public static func == (a: SectionKey, b: SectionKey) -> Bool {
    a.path == b.path && a.transform == b.transform && a.isDescending == b.isDescending && a.places == b.places
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(transform)
    hasher.combine(isDescending)
    hasher.combine(places)
  }

  /// The explicit order as values, which are equal if their bytes are.
  private var places: [Value]? { order?.map { .string($0) } }
}

extension SectionKey: CustomStringConvertible {
  /// The form of the command line, which omits an explicit order.
  public var description: String {
    TermText.text(of: transform == .none ? path : path + [transform.rawValue], isDescending: isDescending)
  }
}
