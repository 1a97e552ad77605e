import DaybookModel
import DaybookQuery

/// The objects of a grouped request that a span of commits may have changed, with what they add to groups at both ends.
package struct GroupChanges {
  /// One object that adds something else, or to another group.
  struct Change {
    let old: GroupContribution?
    let new: GroupContribution?
    let causes: [Position]
  }

  let changes: [Change]
  /// Whether there were no groups before the span, because it begins with the empty state.
  let isFromNothing: Bool

  init(changes: [Change], isFromNothing: Bool) {
    (self.changes, self.isFromNothing) = (changes, isFromNothing)
  }

  /// - Parameters:
  ///   - earlier: The grouping at the time of the old state.
  ///   - later: The same at the time of the new state.
  ///   - candidates: Objects that may have changed, with the commits that touched them.
  ///   - old: Reads the old state; `nil` for the empty state before the model.
  ///   - new: Reads the new state.
  ///   - isFromNothing: Whether the span begins with the empty state.
  init(
    from earlier: ResolvedGrouping, to later: ResolvedGrouping, _ candidates: [ObjectID: [Position]], old: Reader?,
    new: Reader, isFromNothing: Bool
  ) throws {
    var before = old.map { GroupContributionReader(earlier, in: $0) }
    var after = GroupContributionReader(later, in: new)
    var changes: [Change] = []
    for (id, causes) in candidates {
      let (former, present) = (try before?.contribution(of: id), try after.contribution(of: id))
      if former != present { changes.append(Change(old: former, new: present, causes: causes)) }
    }
    self.init(changes: changes, isFromNothing: isFromNothing)
  }
}

extension GroupChanges {
  /// The encoded keys of the groups that the changes touch, with the commits that changed their objects.
  func causes(_ grouping: ResolvedGrouping) -> [[UInt8]: Set<Position>] {
    var causes: [[UInt8]: Set<Position>] = isFromNothing && grouping.keys.isEmpty ? [[]: []] : [:]
    for change in changes {
      for contribution in [change.old, change.new] {
        if let contribution { causes[contribution.key, default: []].formUnion(change.causes) }
      }
    }
    return causes
  }

  /// The encoded keys of the groups that the changes touch.
  func touchedKeys(_ grouping: ResolvedGrouping) -> Set<[UInt8]> {
    var keys: Set<[UInt8]> = isFromNothing && grouping.keys.isEmpty ? [[]] : []
    for change in changes {
      if let old = change.old { keys.insert(old.key) }
      if let new = change.new { keys.insert(new.key) }
    }
    return keys
  }
}
