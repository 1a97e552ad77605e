import DaybookModel
import DaybookQuery

extension RankBase {
  /// Moves rows over changes; call ``settle(in:)`` afterwards.
  ///
  /// - Returns: What the changes did to the rows.
  /// - Throws: As ``GroupState/move(by:_:)``; the base must not be used afterwards.
  package func move(by changes: RowChanges) throws -> NetChanges {
    let net = try changes.moving(groups, .forward, of: request)
    apply(net.moves)
    return net
  }
}
