import DaybookModel

extension CommitBuilder {
  /// Brings an object back that was deleted, as it was then: with its values, and with the links to what is still there.
  ///
  /// - Throws: `StoreError` with the code `notFound` if it was never there.
  func revive(_ id: ObjectID, _ journal: some Journal) throws {
    guard let position = try lastPosition(of: id) else {
      throw StoreError(.notFound, "There has never been an object \(id).")
    }
    try undo(position, of: id, in: journal)
  }

  private func lastPosition(of id: ObjectID) throws -> Position? {
    for number in fold.shape.entities.indices {
      if let record = try fold.record(of: ObjectKey(entity: number, id: id)) {
        return try RecordView(record).stamps.last
      }
    }
    return nil
  }
}
