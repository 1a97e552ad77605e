import DaybookModel

/// The net changes that lead from the state that commits left back to the state before them, or forward again.
///
/// A plan is made from three states: the one that the commits left, the goal, and the present one. A fact that is equal
/// in the first two, or has its goal already, needs no change. A fact whose present value is not the one that was left
/// is a conflict, whichever commits changed it. So commits that cancel out do not count, and neither does who wrote them.
///
/// The plan holds all values and places that it needs: carrying it out changes the state that the others are layers over.
package struct UndoPlan {
  /// One change, which may be left out of the others.
  package enum Change {
    case insert(ObjectID, entity: String, values: [(key: String, value: Value)])
    case set(ObjectID, attribute: String, value: Value)
    case unlink(LinkIdentity)
    case link(LinkIdentity)
    /// The place of a link that exists in all three states.
    case move(LinkIdentity)
    case delete(ObjectID)
  }

  /// A reason against a change.
  package struct Conflict {
    /// The facts by which the commit that made the conflict is found; empty if the object alone leads to it.
    package let facts: Set<Fact>
    /// The object whose commits are searched if none changed the facts.
    package let object: ObjectID
    /// The sentence without the commit.
    package let text: String
    /// Whether an object that would be changed is gone, so that the change is not among the plan's.
    package let isGone: Bool
  }

  package internal(set) var changes: [Change] = []
  package internal(set) var conflicts: [Conflict] = []
  /// The goal of each ordered list in which links are made or moved.
  var lists: [RestoredPlaces.List: [ObjectID]] = [:]

  /// Makes the plan for some commits.
  ///
  /// - Parameters:
  ///   - first: The first commit.
  ///   - last: The last commit; none of them is of a model.
  ///   - journal: The journal with the commits.
  ///   - left: The state that must still hold: to undo the state after the commits, to redo the state before them.
  ///   - goal: The state to restore.
  ///   - now: The present state.
  /// - Throws: `StoreError` with the code `newerFormat` for an event of a later version.
  /// - Complexity: O(*k* log *n*) for *k* events and the targets of the ordered relationships that they touch.
  package init(
    _ first: Position, through last: Position, in journal: some Journal, left: Reader, goal: Reader, now: Reader
  ) throws {
    var planner = UndoPlanner(left: left, goal: goal, now: now)
    try journal.forEachCommit(from: first, through: last) { commit in
      var events = commit.events
      try planner.collect(&events)
      return true
    }
    try planner.plan()
    self = planner.result
  }

  init() {}
}

extension UndoPlan.Change {
  /// The change as a part of a sentence.
  package var summary: String {
    switch self {
    case .insert(let id, let entity, _): "\(entity) \(id) would be inserted"
    case .set(let id, let attribute, _): "\(attribute) of \(id) would be set"
    case .unlink(let link): "\(link.owner) would be unrelated from \(link.target)"
    case .link(let link): "\(link.owner) would be related to \(link.target)"
    case .move(let link): "the place of \(link.target) at \(link.owner) would be changed"
    case .delete(let id): "\(id) would be deleted"
    }
  }

  /// The objects that the change writes.
  package var objects: [ObjectID] {
    switch self {
    case .insert(let id, _, _), .set(let id, _, _), .delete(let id): [id]
    case .unlink(let link), .link(let link), .move(let link): [link.owner, link.target]
    }
  }
}
