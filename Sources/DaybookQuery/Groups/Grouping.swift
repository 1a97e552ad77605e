import DaybookModel

/// How the objects of a request are grouped: by which keys, and what is computed over each group.
///
///     --group type.name --group createdAt.month --show 'count, sum:servings' --having 'count > 3'
///
/// Without keys all objects are one group.
package struct Grouping: Hashable, Sendable {
  /// The keys; two groups differ in one of them.
  package var keys: [GroupKey]
  /// The values that are computed over the objects of each group.
  package var values: [GroupValue]
  /// The order of the objects, by which the first and the last value are chosen; ids decide between equal ones.
  package var order: [SortTerm]
  /// The condition on the groups, which names values and keys; `nil` for all groups.
  package var having: Filter?

  /// The most keys.
  package static let maximumKeyCount = GroupDeclaration.maximumKeyCount
  /// The most values.
  package static let maximumValueCount = GroupDeclaration.maximumValueCount

  package init(by keys: [GroupKey], showing values: [GroupValue], order: [SortTerm] = [], having: Filter? = nil) {
    (self.keys, self.values, self.order, self.having) = (keys, values, order, having)
  }

  /// Reads a grouping from the forms of the command line.
  ///
  /// - Parameters:
  ///   - keys: A text for each key, such as `type.name` or `createdAt.month`; one empty text stands for none.
  ///   - values: Texts with values, which are separated by commas: `count, total = sum:servings`. Without any the number of
  ///     objects is shown.
  ///   - order: A text for each sort term of the objects.
  ///   - having: The condition on the groups, which may name ``GroupValue/name`` as it is.
  /// - Throws: A ``QueryError`` that points at the wrong character.
  package init(
    by keys: [String], showing values: [String], order: [String] = [], having: String? = nil
  ) throws(QueryError) {
    var terms: [SortTerm] = []
    for text in order { terms.append(try SortTerm(parsing: text)) }
    self.init(
      by: try GroupKey.list(parsing: keys), showing: try GroupValue.list(parsing: values), order: terms,
      having: try having.map { text throws(QueryError) in try Filter(parsingHaving: text) })
  }
}

/// A key by which objects are grouped: a value at the end of a path over to-one links, or what a transform makes of it.
package struct GroupKey: Hashable, Sendable {
  package let path: [String]
  package let transform: SectionKey.Transform
  let place: WrittenPlace

  package init(path: [String], transform: SectionKey.Transform = .none) {
    (self.path, self.transform, place) = (path, transform, WrittenPlace())
  }

  /// Reads a key: `type.name`, `createdAt.month`.
  ///
  /// A last word that names a transform is one, unless the model has a field of that name there.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  package init(parsing text: String) throws(QueryError) {
    self.init(named: try TermText.path(Substring(text), in: text), at: WrittenPlace(text: text, utf8Offset: 0))
  }

  /// Reads keys, a text for each; one empty text is the grouping without keys.
  ///
  /// - Throws: A ``QueryError`` that points at the wrong character.
  package static func list(parsing texts: [String]) throws(QueryError) -> [GroupKey] {
    if texts == [""] { return [] }
    var keys: [GroupKey] = []
    for text in texts { keys.append(try GroupKey(parsing: text)) }
    return keys
  }

  /// Makes a key of the names of its path, the last of which may be a transform.
  package init(named names: [String]) { self.init(named: names, at: WrittenPlace()) }

  private init(named names: [String], at place: WrittenPlace) {
    let transform = names.count > 1 ? names.last.flatMap(SectionKey.Transform.init(rawValue:)) : nil
    path = transform == nil ? names : names.dropLast()
    self.transform = transform ?? .none
    self.place = place
  }

  /// The key as it is written, by which it is named: `createdAt.month`.
  package var name: String {
    (transform == .none ? path : path + [transform.rawValue]).joined(separator: ".")
  }
}

/// A value that is computed over the objects of a group.
package struct GroupValue: Hashable, Sendable {
  package let function: Accumulator.Function
  /// The path from an object to the value; `nil` for the number of objects.
  package let path: [String]?
  /// The name of the value in rows, conditions and orders.
  package let name: String
  let place: WrittenPlace

  /// - Parameter name: The name; `nil` for the one of ``defaultName``.
  package init(_ function: Accumulator.Function, of path: [String]? = nil, named name: String? = nil) {
    self.init(function, of: path, named: name, at: WrittenPlace())
  }

  /// Makes a value of its default name, such as `sum:servings`; of another name the first value of a path.
  package init(named name: String) {
    let parts = name.split(separator: ":", maxSplits: 1)
    let function = parts.first.flatMap { Accumulator.Function(word: $0) }
    let path = function == nil ? parts.first : parts.dropFirst().first
    self.init(
      function ?? .first, of: path?.split(separator: ".").map(String.init), named: nil, at: WrittenPlace())
  }

  init(_ function: Accumulator.Function, of path: [String]?, named name: String?, at place: WrittenPlace) {
    (self.function, self.path, self.place) = (function, path, place)
    self.name = name ?? GroupValue.defaultName(function, path)
  }

  /// The number of objects.
  package static let count = GroupValue(.count)

  private static func defaultName(_ function: Accumulator.Function, _ path: [String]?) -> String {
    path.map { "\(function.word):\($0.joined(separator: "."))" } ?? function.word
  }
}

/// The place of a part of a request in the text in which it was written, for messages.
///
/// It is not part of the meaning, so all are equal.
struct WrittenPlace: Hashable, Sendable {
  var text: String?
  var utf8Offset = 0

  static func == (a: WrittenPlace, b: WrittenPlace) -> Bool { true }
  func hash(into hasher: inout Hasher) {}

  /// Returns an error about the part.
  ///
  /// - Parameter part: What has the fault.
  func error(_ message: String, in part: @autoclosure () -> String) -> QueryError {
    guard let text else { return QueryError(message, in: part()) }
    return QueryError(message, in: part(), at: PointedText(text, utf8Offset: utf8Offset))
  }
}
