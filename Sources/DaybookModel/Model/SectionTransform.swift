/// The transform of a value into the name of a section.
public enum SectionTransform: String, Hashable, Sendable, CaseIterable {
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

extension SectionTransform {
  /// Returns why it is made of no values of a type, or `nil` if it is.
  package func complaint(about type: AttributeType) -> String? {
    let wanted: AttributeType
    switch self {
    case .none: return nil
    case .day, .week, .month, .year: wanted = .date
    case .initial: wanted = .string
    }
    return type == wanted ? nil : "“\(rawValue)” is made of \(wanted.nounPhrase), and this is \(type.nounPhrase)"
  }

  /// Returns why a word that is no transform cannot follow a value, and what can; `nil` for values that have no transforms.
  package static func complaint(about word: String, after type: AttributeType) -> String? {
    let known = allCases.filter { $0 != .none && $0.complaint(about: type) == nil }.map(\.rawValue)
    guard !known.isEmpty else { return nil }
    return "“\(word)” cannot follow \(type.nounPhrase); \(known.joined(separator: ", ")) can"
  }
}
