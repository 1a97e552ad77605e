import DaybookEngine
import DaybookModel

extension NetChanges {
  /// Returns the change of a result.
  ///
  /// - Parameters:
  ///   - from: The position of the old result.
  ///   - to: The position of the new one.
  ///   - keys: The rows of the new result.
  ///   - reader: Reads the position of the keys' base; `nil` only if the base stores its keys.
  package func change(
    from: Position, to: Position, endingAt keys: RankedKeys, in reader: Reader?
  ) throws -> ResultsChange {
    let (difference, causes) = try difference(endingAt: keys, in: reader)
    var named: [ObjectID: [Value]] = [:]
    if keys.request.grouping != nil {
      for row in difference.rows { named[row.id] = try key(of: row.id) }
    }
    return ResultsChange(from: from, to: to, difference: difference, causes: causes, keys: named)
  }
}
