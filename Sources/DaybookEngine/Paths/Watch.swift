import DaybookModel

/// A kind of change that can affect a request's rows, and the way from object to rows.
package struct Watch: Hashable {
  package let trigger: Trigger
  /// Relationships to follow from the changed object to the rows; empty if it is the row.
  package let wayBack: [RelationshipReference]

  /// A kind of change of an object, as events record it.
  package enum Trigger: Hashable {
    /// The object was inserted or deleted.
    case existence(entity: Int)
    /// A stored attribute was set to another value.
    case attribute(entity: Int, number: Int)
    /// A link of this relationship was added, removed or moved.
    case link(RelationshipReference)
    /// The object was the subject of an event.
    case subject(entity: Int)
  }
}

/// A request's watches by trigger.
package struct WatchTable {
  let waysBack: [Watch.Trigger: [[RelationshipReference]]]

  package init(_ watches: some Sequence<Watch>) {
    waysBack = Dictionary(grouping: watches, by: \.trigger).mapValues { $0.map(\.wayBack) }
  }
}
