import DaybookModel
import DaybookQuery

extension RankBase {
  /// Moves rows over changes; call ``settle(in:)`` afterwards.
  ///
  /// - Parameter reader: Any reader of the transaction.
  /// - Returns: What the changes did to the rows.
  /// - Throws: As ``GroupState/move(by:_:)``; the base must not be used afterwards.
  package func move(by changes: RowChanges, in reader: Reader) throws -> NetChanges {
    let net =
      switch changes {
      case .rows(let net): net
      case .groups(let changes): try followed(changes, in: reader)
      }
    apply(net.moves)
    return net
  }

  private func followed(_ changes: GroupChanges, in reader: Reader) throws -> NetChanges {
    guard let groups else { preconditionFailure("Groups change in a base of groups.") }
    return try groups.netChanges(request, changes, formerly: groups.move(by: changes, .forward), in: reader)
  }

  /// Returns what changes did to the rows, which are the ones after the changes.
  ///
  /// - Parameter reader: Any reader of the transaction.
  package func netChanges(of changes: RowChanges, in reader: Reader) throws -> NetChanges {
    switch changes {
    case .rows(let net): return net
    case .groups(let changes):
      guard let groups else { preconditionFailure("Groups change in a base of groups.") }
      return try groups.netChanges(request, changes, formerly: groups.layer(before: changes), in: reader)
    }
  }
}
