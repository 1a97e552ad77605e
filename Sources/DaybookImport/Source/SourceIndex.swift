#if Import

/// An index as its source declares it.
package struct SourceIndex: Hashable, Sendable {
  /// The name; `nil` for the older forms, which have none.
  package var name: String?
  package var elements: [Element]

  package init(name: String? = nil, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// One part of an index.
  package struct Element: Hashable, Sendable {
    /// The attribute or relationship, or the expression, by which the index sorts.
    package var property: String
    package var isDescending = false
    /// Whether the index finds regions, not values; Daybook lacks such indexes.
    package var isSpatial = false

    package init(property: String, isDescending: Bool = false, isSpatial: Bool = false) {
      self.property = property
      self.isDescending = isDescending
      self.isSpatial = isSpatial
    }
  }
}

#endif
