import DaybookModel

/// A plan for answering a request: the source of the rows, the tests, and the order.
///
/// An executor reads the rows of ``access`` in its order, drops the rows that do not meet ``residual``, passes them
/// through a ``RunSorter``, and applies the request's window. Each row of ``access`` is an object of the request's
/// entity, and comes once.
package struct Plan: Sendable {
  package enum Access: Sendable {
    /// All objects of the entity, by ascending id.
    case objects
    /// The objects of the entity among these, by ascending id, without duplicates.
    case identities([ObjectID])
    /// The object, if any, with these values in the fields of a constraint; none is null.
    case constraint(number: Int, values: [Value])
    /// The objects at the other end of a relationship of another entity, from each source.
    ///
    /// A source need not exist; no object comes from two.
    case links(relationship: RelationshipReference, sources: [ObjectID])
    /// The rows of the entity's view with this number, in these ranges of its keys.
    ///
    /// The ranges ascend and do not touch; backward, the last comes first, each from its end.
    case view(number: Int, ranges: [KeyRange], direction: Direction)
  }

  package enum Direction: Sendable { case forward, backward }

  package let access: Access
  /// The filter that a row must still meet, or `nil` for none.
  package let residual: ResolvedFilter?
  /// The number of the request's terms by which the rows are sorted.
  ///
  /// Rows that tie in these come in any order. Even with all terms the rows may be unordered: ids may still descend.
  package let orderedTermCount: Int
  /// Whether rows come in the request's order, including ids.
  ///
  /// Rows of one cut key and of the empty section are the exceptions.
  package let isOrdered: Bool
  /// Whether rows with a null section value must be sorted among themselves.
  ///
  /// A view has null and the empty string one after the other, and for the request they are one section.
  package let sortsEmptySection: Bool
  /// Whether reading can end as soon as the window is full.
  package let canStopEarly: Bool
  /// The text, formatted only on demand: each fetch creates a plan, and few are shown.
  let text: PlanText

  /// The line that `--explain` prints.
  package var explanation: String { text.text }
}
