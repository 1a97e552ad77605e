import DaybookModel

/// How a request is answered: where the rows come from, what must still be tested, and in which order they come.
///
/// An executor reads the rows of ``access`` in its order, drops those that do not meet ``residual``, passes them through a
/// ``RunSorter``, and applies the request's window. A row that ``access`` gives is an object of the request's entity,
/// and comes once.
package struct Plan: Sendable {
  package enum Access: Sendable {
    /// All objects of the entity, by rising id.
    case objects
    /// These objects, as far as they exist and are of the entity; by rising id, without doubles.
    case identities([ObjectID])
    /// The object, if there is one, which has these values in the fields of the constraint of this number; none is null.
    case constraint(number: Int, values: [Value])
    /// The objects at the other end of `relationship`, which is of another entity, from each of these sources. A source
    /// need not exist; no object comes from two.
    case links(relationship: RelationshipReference, sources: [ObjectID])
    /// The rows of the entity's view of this number, in these ranges of its keys. The ranges rise and do not touch;
    /// backward, the last comes first, each from its end.
    case view(number: Int, ranges: [KeyRange], direction: Direction)
  }

  package enum Direction: Sendable { case forward, backward }

  package let access: Access
  /// What a row must still meet; nil for nothing.
  package let residual: ResolvedFilter?
  /// How many of the request's terms the rows come sorted by; rows that tie in these come in any order. All of them does
  /// not make the rows ordered: ids may still descend.
  package let orderedTermCount: Int
  /// Whether rows come in the order of the request, ids included, but for those of one cut key and the empty section.
  package let isOrdered: Bool
  /// Whether rows whose section value is null must be sorted among themselves: a view has null and the empty string one
  /// after the other, and for the request they are one section.
  package let sortsEmptySection: Bool
  /// Whether reading can end as soon as the window is full.
  package let canStopEarly: Bool
  /// Put into words only when somebody asks: a plan is made for each fetch, and hardly ever shown.
  let text: PlanText

  /// What `--explain` prints: one line.
  package var explanation: String { text.text }
}
