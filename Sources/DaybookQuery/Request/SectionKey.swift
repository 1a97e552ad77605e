import DaybookModel

/// What the sections of a result are made by.
///
///     request.section = SectionKey(["type", "name"])
///     request.section = SectionKey(["createdAt"], transform: .day, isDescending: true)
///
/// The rows are sorted by the section key before all sort terms. Objects whose key is null or the empty string form one
/// section, named "", which is the first, or the last if the key descends.
public struct SectionKey: Hashable, Sendable {
  /// The names from the object to the value, over to-one relationships.
  public var path: [String]
  /// What is made of the value before it names a section.
  public var transform: Transform
  /// Whether the sections stand in falling order.
  public var isDescending: Bool
  /// Names of sections in the order wanted; sections that are not listed follow in their own order. Nil or empty for
  /// the order of the values. A descending key turns the whole order around.
  public var order: [String]?

  /// Sections named by what a path of names leads to.
  public init(_ path: [String], transform: Transform = .none, isDescending: Bool = false, order: [String]? = nil) {
    self.path = path
    self.transform = transform
    self.isDescending = isDescending
    self.order = order
  }

  /// Reads the form of the command line: `type.name`, `createdAt.day:desc`, `name.initial`.
  ///
  /// A last word that names a transform is one, unless the model has a field of that name there.
  ///
  /// - Throws: A ``QueryError`` that points at the character which is wrong.
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

  /// How a value becomes the name of a section.
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
    /// The first character of a string in upper case and in composed form (NFC), or `#` if that is no letter.
    case initial
  }
}

extension SectionKey {
  /// Whether both make the same sections. The names of an explicit order are compared by their UTF-8 bytes, as sections
  /// are.
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
  /// The form of the command line, which does not show an explicit order.
  public var description: String {
    TermText.text(of: transform == .none ? path : path + [transform.rawValue], isDescending: isDescending)
  }
}
