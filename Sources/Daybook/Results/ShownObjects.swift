import DaybookEngine
import DaybookModel
import DaybookRuntime

/// The objects of the rows that a step inserts, moves or updates, as they are at its end.
package struct ShownObjects: Sendable {
  package private(set) var objects: [ObjectID: StoredObject] = [:]
  /// The model of the end.
  package let model: ResolvedModel

  init(model: ResolvedModel) {
    self.model = model
  }

  /// Reads the objects of the rows that a change leaves in the result.
  mutating func read(_ change: ResultsChange, in reader: Reader) throws {
    for row in change.difference.rows where row.to != nil && objects[row.id] == nil {
      objects[row.id] = try reader.find(row.id).flatMap { try reader.object($0) }
    }
  }
}
