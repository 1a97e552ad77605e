import DaybookModel

extension Filter {
  /// One side of a comparison, or what a variable of a filter's text stands for.
  package struct Operand: Hashable, Sendable {
    package indirect enum Form: Hashable, Sendable {
      case path(KeyPath)
      case value(Value)
      case values([Operand])
      /// The number of related objects that meet a condition.
      case count(RelatedObjects)
      /// A time that is relative to the present, and the word for the present: `@now`, or `now`.
      case time(RelativeTime, word: String)
    }

    package let form: Form
    let place: Place

    init(_ form: Form, place: Place = Place()) {
      self.form = form
      self.place = place
    }

    /// The same operand, which stands elsewhere in a text.
    func moved(to place: Place) -> Operand {
      switch form {
      case .value, .count, .time: Operand(form, place: place)
      case .values(let values): Operand(.values(values.map { $0.moved(to: place) }), place: place)
      case .path(let path): Operand(.path(KeyPath(path.words, places: path.words.map { _ in place })), place: place)
      }
    }

    /// Creates an operand from a key path.
    ///
    /// Examples are `name`, `type.name`, `tags.@count` and `ingredients.@sum.amount`.
    ///
    /// - Parameter scope: The closure with whose parameter the path begins, if it is written with fields.
    package static func path(_ text: String, in scope: PathScope? = nil) -> Operand {
      Operand(.path(KeyPath(dotted: text, in: scope)))
    }

    /// Creates an operand from the name of a key or a value of groups.
    package static func column(_ name: String) -> Operand { Operand(.path(KeyPath(column: name, place: Place()))) }

    /// Creates an operand from a value.
    ///
    /// An identity or bytes are compared through their text forms, as in a filter's text.
    package static func value(_ value: Value) -> Operand { Operand(.value(value.asLiteral)) }

    /// Creates an operand from a list of values, for `IN` and `BETWEEN`.
    package static func values(_ values: [Value]) -> Operand { Operand(.values(values.map { .value($0) })) }
  }

  /// The names from an object to a value, with an aggregate if there are several values.
  package struct KeyPath: Hashable, Sendable {
    package let names: [String]
    package let aggregate: Aggregate?
    /// The number of names before the aggregate.
    package let aggregateIndex: Int
    /// The place of each name, followed by the aggregate's place.
    let places: [Place]
    private let scopeReference: ScopeReference

    /// Creates a key path from the words between the dots; the first known aggregate becomes one.
    init(_ words: [String], places: [Place]? = nil, in scope: PathScope? = nil) {
      scopeReference = ScopeReference(scope: scope)
      let found = words.firstIndex { $0.hasPrefix("@") && Aggregate(rawValue: String($0.dropFirst())) != nil }
      let places = places ?? words.map { _ in Place() }
      aggregate = found.flatMap { Aggregate(rawValue: String(words[$0].dropFirst())) }
      aggregateIndex = found ?? words.count
      var names = words
      var namePlaces = places
      if let found {
        names.remove(at: found)
        namePlaces.append(namePlaces.remove(at: found))
      }
      self.names = names
      self.places = namePlaces
    }

    /// Creates the path to a key or a value of groups, whose name is one word.
    init(column name: String, place: Place) {
      (names, aggregate, aggregateIndex, places) = ([name], nil, 1, [place])
      scopeReference = ScopeReference()
    }

    /// Creates a key path from its text.
    init(dotted text: String, in scope: PathScope?) {
      self.init(text.split(separator: ".", omittingEmptySubsequences: false).map(String.init), in: scope)
    }

    var scope: PathScope? { scopeReference.scope }

    /// The words between the dots.
    var words: [String] {
      guard let aggregate else { return names }
      return names[..<aggregateIndex] + ["@" + aggregate.rawValue] + names[aggregateIndex...]
    }
  }

  /// A computation over the values of a to-many relationship.
  package enum Aggregate: String, Hashable, Sendable, CaseIterable {
    case count, sum, min, max, avg
  }
}

extension Filter.Operand: CustomStringConvertible {
  func write(to text: inout String) {
    switch form {
    case .path(let path): path.write(to: &text)
    case .count(let objects):
      text += "COUNT("
      objects.path.write(to: &text)
      text += " WHERE "
      objects.condition.write(to: &text)
      text += ")"
    case .value(let value): value.writeLiteral(to: &text)
    case .time(let time, let word):
      text += word
      time.writeDistance(to: &text)
    case .values(let values):
      text += "{"
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", " }
        value.write(to: &text)
      }
      text += "}"
    }
  }

  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }
}

extension Filter.KeyPath {
  func write(to text: inout String) {
    if aggregate == nil, names.count == 1, Filter.KeyPath.needsQuotes(names[0]) {
      text += "`\(names[0].replacing("`", with: "``"))`"
    } else {
      text += words.joined(separator: ".")
    }
  }

  /// Returns whether the name of a key or a value of groups is written in backquotes.
  private static func needsQuotes(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return true }
    return !ModelNames.isStart(first)
      || !name.unicodeScalars.allSatisfy { ModelNames.isPart($0) || $0 == ":" || $0 == "." }
      || ModelNames.keywords.contains(name.lowercased())
  }
}
