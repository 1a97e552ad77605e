import Daybook
import DaybookModel

extension Store {
  /// Returns the projections of users with the numbers and sizes of their rows, by name.
  ///
  /// - Throws: `StoreError`.
  /// - Complexity: O(log *n*) for each derived entity.
  package func projectionFigures() throws -> [ProjectionFigures] {
    try read { reader in try projections(as: reader).map { try figures(of: $0, reader) } }
  }

  private func figures(of status: ProjectionStatus, _ reader: borrowing StoreReader) throws -> ProjectionFigures {
    let size = try keeper.projections(of: reader).sizeInBytes(of: status.name)
    var counts: [(entity: String, count: Int)] = []
    for entity in status.entities {
      let count =
        try status.checkpoint > .empty ? reader.reading([entity]) { try $0.count(FetchRequest(entity: entity)) } : 0
      counts.append((entity, count))
    }
    return ProjectionFigures(status: status, counts: counts, sizeInBytes: size)
  }
}
