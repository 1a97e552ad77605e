extension Filter {
  /// The related objects that meet a condition: `ingredients WHERE amount > 2`.
  ///
  /// `COUNT(…)` counts them; `ANY`, `ALL` and `NONE` test how many of the related objects they are.
  package struct RelatedObjects: Hashable, Sendable {
    /// The path to the objects, which ends at a to-many relationship.
    package let path: KeyPath
    /// The condition, whose paths begin at a related object.
    package let condition: Node
    /// The nesting depth of the canonical text, which has the condition in parentheses.
    let depth: Int

    init(at path: KeyPath, where condition: Filter) {
      self.path = path
      self.condition = condition.node
      depth = condition.depth + 1
    }

    /// The place of the path in the text.
    var place: Place { path.places.first ?? Place() }
  }

  /// Creates a filter that tests how many objects at the end of a path meet a condition.
  ///
  ///     ANY tags WHERE (name == "x" AND rank > 2)
  package init(_ quantifier: Quantifier, of path: String, in scope: PathScope? = nil, where condition: Filter) {
    let objects = RelatedObjects(at: KeyPath(dotted: path, in: scope), where: condition)
    self.init(.related(quantifier, objects), depth: objects.depth)
  }
}

extension Filter.Operand {
  /// Creates an operand that counts the objects at the end of a path which meet a condition.
  ///
  ///     COUNT(ingredients WHERE amount > 2)
  package static func count(
    _ path: String, in scope: PathScope? = nil, where condition: Filter
  ) -> Filter.Operand {
    Filter.Operand(.count(Filter.RelatedObjects(at: Filter.KeyPath(dotted: path, in: scope), where: condition)))
  }

  /// The nesting depth of the canonical text.
  var depth: Int {
    if case .count(let objects) = form { objects.depth } else { 0 }
  }
}
