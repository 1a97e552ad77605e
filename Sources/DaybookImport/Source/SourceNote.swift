#if Import

/// Something in a source that does not fit its model, for the report.
package struct SourceNote: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Links to or from rows that do not exist, which are not read.
    case danglingLinks
    /// One-to-one links that only one side stores.
    case oneSidedLinks
    /// One-to-one links that contradict the side declared first, which are not read.
    case contradictoryLinks
    /// Ordered links without an order key, which come last.
    case missingOrder
    /// Order keys that occur twice in a list, where the primary key decides.
    case equalOrder
    /// Rows whose entity number belongs to another hierarchy or to none, which are not read.
    case strayRows
    /// An entity without a table, as in a store of another configuration.
    case missingTable
    /// A field whose column or join table the store lacks.
    case missingColumn
    /// A table that is not read.
    case skippedTable
    /// A fact about the source as a whole.
    case general
  }

  package let kind: Kind
  /// The entity, field or table.
  package let place: String
  /// The number of rows or links; 0 where nothing is counted.
  package let count: Int
  /// The name of the first of them, such as `Artwork/p1`.
  package let first: String?
  /// A full sentence.
  package let message: String

  package init(_ kind: Kind, _ place: String, count: Int = 0, first: String? = nil, _ message: String) {
    self.kind = kind
    self.place = place
    self.count = count
    self.first = first
    self.message = message
  }
}

extension SourceNote: CustomStringConvertible {
  package var description: String { message }
}

#endif
