import DaybookModel

/// One level of the order of a result.
///
///     request.sort = [SortTerm(["type", "name"]), SortTerm(["createdAt"], isDescending: true)]
///
/// Null comes first; a descending term reverses its whole order, including null.
public struct SortTerm: Hashable, Sendable {
  /// The names from the object to the value, over to-one relationships.
  public var path: [String]
  /// Whether the order is reversed.
  public var isDescending: Bool
  /// The order of strings, or `nil` for the attribute's own.
  public var order: StringOrder?
  /// The parent whose targets are sorted by place, or `nil` for a term that sorts by a value.
  ///
  /// See ``init(placeIn:of:isDescending:)``.
  public let parent: ObjectID?

  /// Creates a term that sorts by the value at the end of a path of names.
  ///
  /// - Parameter order: The order of strings, in place of the attribute's: `SortTerm(["name"], order: .locale("sv"))`.
  ///   Such a term is sorted in memory, unless the attribute of an index has the same order.
  public init(_ path: [String], isDescending: Bool = false, order: StringOrder? = nil) {
    self.path = path
    self.isDescending = isDescending
    self.order = order
    parent = nil
  }

  /// Creates a term that sorts by the objects' places in an ordered relationship.
  ///
  ///     request.sort = [SortTerm(placeIn: "recipe", of: cake)]   // the cake's ingredients in their order
  ///
  /// - Parameters:
  ///   - relationship: The relationship of the request's own entity whose inverse is ordered.
  ///   - parent: The object whose targets are sorted. Objects that are not its targets come first.
  public init(placeIn relationship: String, of parent: ObjectID, isDescending: Bool = false) {
    path = [relationship]
    self.isDescending = isDescending
    order = nil
    self.parent = parent
  }

  /// Reads the form of the command line: `name`, `type.name:desc`, `servings:asc`, `name:natural`, `name:locale:sv:desc`,
  /// and for places in an ordered relationship `recipe:in:` with the identity of the parent.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  public init(_ text: String) throws(QueryError) {
    let words = try TermText(text, isSort: true)
    path = words.path
    isDescending = words.isDescending
    order = words.order
    parent = words.parent
  }
}

extension SortTerm: CustomStringConvertible {
  /// The form of the command line.
  public var description: String {
    TermText.text(of: path, order: order, parent: parent, isDescending: isDescending)
  }
}

/// The text form of sort terms and section keys: a dotted path, for a sort term an order of strings or the parent whose
/// targets are sorted by place, `:asc` or `:desc`; all but the path may be left out.
struct TermText {
  var path: [String]
  var isDescending: Bool
  var order: StringOrder?
  var parent: ObjectID?

  init(_ text: String, isSort: Bool = false) throws(QueryError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    isDescending = false
    if parts.count == 2 {
      var words = parts[1].split(separator: ":", omittingEmptySubsequences: false)
      switch words[words.count - 1].lowercased() {
      case "asc": words.removeLast()
      case "desc":
        words.removeLast()
        isDescending = true
      default: break
      }
      if !words.isEmpty {
        if isSort, words[0] == "in", words.count == 2 {
          parent = ObjectID(String(words[1]))
        } else if isSort {
          order = StringOrder(rawValue: words.joined(separator: ":"))
        }
        guard order != nil || parent != nil else {
          let orders = isSort ? ", an order such as “:natural” or “:locale:sv”, or “:in:” with an identity," : ""
          throw TermText.error("“:asc” or “:desc”\(orders) is expected here", at: parts[0].endIndex, in: text)
        }
      }
    }
    path = []
    for name in parts[0].split(separator: ".", omittingEmptySubsequences: false) {
      try TermText.check(name, in: text)
      path.append(String(name))
    }
  }

  private static func check(_ name: Substring, in text: String) throws(QueryError) {
    guard let first = name.unicodeScalars.first else { throw error("a name is missing", at: name.startIndex, in: text) }
    guard ModelNames.isStart(first) else {
      throw error("a name cannot begin with “\(first)”", at: name.startIndex, in: text)
    }
    guard let bad = name.unicodeScalars.firstIndex(where: { !ModelNames.isPart($0) }) else { return }
    throw error("“\(name.unicodeScalars[bad])” cannot be part of a name", at: bad, in: text)
  }

  private static func error(_ message: String, at index: String.Index, in text: String) -> QueryError {
    QueryError(.text(PointedText(text, at: index), message))
  }

  static func text(
    of path: [String], order: StringOrder? = nil, parent: ObjectID? = nil, isDescending: Bool
  ) -> String {
    path.joined(separator: ".") + (order.map { ":" + $0.rawValue } ?? "") + (parent.map { ":in:\($0)" } ?? "")
      + (isDescending ? ":desc" : "")
  }
}
