import DaybookModel
import DaybookQuery

extension GroupState {
  /// Returns what changes did to the groups of a request.
  ///
  /// - Parameters:
  ///   - former: The layer over the rows of this state, which is the one after the changes, that leads to the state before
  ///     them.
  ///   - reader: Any reader of the transaction.
  package func netChanges(
    _ request: ResolvedRequest, _ changes: GroupChanges, formerly former: Layer, in reader: Reader
  ) throws -> NetChanges {
    let new = self.reader(over: reader)
    return try netChanges(request, changes, old: new.adding(former), new: new)
  }

  /// Returns what changes did, whose reverse has moved the groups to the state before them.
  ///
  /// - Parameter later: The layer over the rows of this state that leads to the state after the changes.
  package func netChanges(
    _ request: ResolvedRequest, _ changes: GroupChanges, later: Layer, in reader: Reader
  ) throws -> NetChanges {
    let old = self.reader(over: reader)
    return try netChanges(request, changes, old: old, new: old.adding(later))
  }

  private func netChanges(
    _ request: ResolvedRequest, _ changes: GroupChanges, old: Reader, new: Reader
  ) throws -> NetChanges {
    var (candidates, keys): ([ObjectID: [Position]], [ObjectID: [Value]]) = ([:], [:])
    for (key, causes) in changes.causes(grouping) {
      let id = id(of: key)
      candidates[id] = causes.sorted()
      keys[id] = zip(grouping.keys, try GroupState.values(of: key)).map { $0.shown($1) }
    }
    return try NetChanges(request, candidates: candidates, old: old, new: new).named(keys, in: new)
  }
}
