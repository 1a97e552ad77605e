import DaybookModel

/// The text form of sort terms and section keys: a dotted path, and words after colons.
///
///     due:desc:nils-first             // a sort term
///     name.initial:desc:other-last    // a section key
///
/// All but the path may be left out. A sort term may have an order of strings, or the parent whose targets are sorted by
/// place, before the other words.
struct TermText {
  enum Kind { case sort, section }

  var path: [String] = []
  private var writtenDirection: SortDirection?
  var nils: EndPlacement?
  var others: EndPlacement?
  var order: StringOrder?
  var parent: ObjectID?

  var direction: SortDirection { writtenDirection ?? .ascending }

  /// A term to which words are added.
  init() {}

  init(
    path: [String], _ direction: SortDirection, nils: EndPlacement? = nil, others: EndPlacement? = nil,
    order: StringOrder? = nil, parent: ObjectID? = nil
  ) {
    (self.path, writtenDirection, self.nils, self.others) = (path, direction, nils, others)
    (self.order, self.parent) = (order, parent)
  }

  init(_ text: String, as kind: Kind) throws(QueryError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      var words = parts[1].split(separator: ":", omittingEmptySubsequences: false)
      while let last = words.last, take(last, as: kind) { words.removeLast() }
      if kind == .sort { takeOrder(&words) }
      guard words.isEmpty else {
        throw TermText.error("\(kind.words) is expected here", at: parts[0].endIndex, in: text)
      }
    }
    path = try TermText.path(parts[0], in: text)
  }

  /// Takes a word that ends the term; returns whether it is one, and the first of its kind.
  mutating func take(_ word: Substring, as kind: Kind) -> Bool {
    switch word.lowercased() {
    case "asc" where writtenDirection == nil: writtenDirection = .ascending
    case "desc" where writtenDirection == nil: writtenDirection = .descending
    case "nils-first" where nils == nil: nils = .first
    case "nils-last" where nils == nil: nils = .last
    case "other-first" where kind == .section && others == nil: others = .first
    case "other-last" where kind == .section && others == nil: others = .last
    default: return false
    }
    return true
  }

  /// Takes the order of strings, or the parent, if the words are one.
  private mutating func takeOrder(_ words: inout [Substring]) {
    guard !words.isEmpty else { return }
    if words[0] == "in", words.count == 2 {
      parent = ObjectID(String(words[1]))
    } else {
      order = StringOrder(rawValue: words.joined(separator: ":"))
    }
    if order != nil || parent != nil { words.removeAll() }
  }

  /// Reads the names of a path, which is a part of a text.
  static func path(_ part: Substring, in text: String) throws(QueryError) -> [String] {
    var path: [String] = []
    for name in part.split(separator: ".", omittingEmptySubsequences: false) {
      try check(name, in: text)
      path.append(String(name))
    }
    return path
  }

  private static func check(_ name: Substring, in text: String) throws(QueryError) {
    if name == ModelNames.entityWord { return }
    guard let first = name.unicodeScalars.first else { throw error("a name is missing", at: name.startIndex, in: text) }
    guard ModelNames.isStart(first) else {
      throw error("a name cannot begin with “\(first)”", at: name.startIndex, in: text)
    }
    guard let bad = name.unicodeScalars.firstIndex(where: { !ModelNames.isPart($0) }) else { return }
    throw error("“\(name.unicodeScalars[bad])” cannot be part of a name", at: bad, in: text)
  }

  static func error(_ message: String, at index: String.Index, in text: String) -> QueryError {
    QueryError(message, at: PointedText(text, at: index))
  }

  /// The form of the command line.
  var text: String {
    var text = path.joined(separator: ".")
    if let order { text += ":" + order.rawValue }
    if let parent { text += ":in:\(parent)" }
    if direction == .descending { text += ":desc" }
    if let nils { text += ":nils-" + nils.rawValue }
    if let others { text += ":other-" + others.rawValue }
    return text
  }
}

private extension TermText.Kind {
  /// The words that may follow the path.
  var words: String {
    switch self {
    case .sort:
      "“:asc”, “:desc”, “:nils-first”, “:nils-last”, an order such as “:natural” or “:locale:sv”, or “:in:” with an "
        + "identity,"
    case .section:
      "“:asc”, “:desc”, “:nils-first”, “:nils-last”, or “:other-first” or “:other-last” for “#” among initials,"
    }
  }
}
