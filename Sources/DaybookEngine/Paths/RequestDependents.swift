import DaybookModel
import DaybookQuery

/// The rows of a request that depend on each kind of change.
package struct RequestDependents {
  /// The inverse paths that lead to the rows from a changed object.
  let inversePaths: [Dependency.Trigger: [[RelationshipReference]]]
  /// The paths from a row to the objects that it depends on; the empty path leads to the row itself.
  private let paths: Set<[RelationshipReference]>
  /// Whether each row depends on nothing but the stored fields of its own record.
  package var readOnlyOwnRecords: Bool { rowsAreObjects && objectsReadOnlyOwnRecords }
  /// The same of the objects of groups, or of the rows.
  let objectsReadOnlyOwnRecords: Bool
  /// Whether the objects of the request are its rows; else they are in groups.
  package let rowsAreObjects: Bool

  /// Creates the dependents of no request.
  package init() {
    inversePaths = [:]
    paths = []
    objectsReadOnlyOwnRecords = false
    rowsAreObjects = true
  }

  /// - Parameter request: The request; of a grouped one the rows are here the objects of its groups.
  package init(_ request: ResolvedRequest, in model: ResolvedModel) {
    rowsAreObjects = request.grouping == nil
    let request = request.objects
    inversePaths = Dictionary(grouping: Dependency.recorded(of: request, in: model), by: \.trigger)
      .mapValues { $0.map(\.inversePath) }
    paths = Set(inversePaths.values.joined().map { $0.reversed().map { model.inverse(of: $0) } })
    objectsReadOnlyOwnRecords =
      request.terms.allSatisfy { $0.path.isInOwnRecord(in: model) && !$0.path.isLink }
      && request.statePaths.allSatisfy { $0.isInOwnRecord(in: model) }
  }

  /// Returns a row and the objects that it depends on; an object may be there several times.
  ///
  /// - Complexity: O(*k* log *n*) for *k* objects.
  package func objects(reachedFrom row: ObjectID, in reader: some PathSource) throws -> [ObjectID] {
    try readOnlyOwnRecords ? [row] : paths.flatMap { try reader.objects(along: $0, from: row) } + [row]
  }
}

private extension ResolvedPath {
  /// Whether the path ends at a to-one link.
  var isLink: Bool {
    if case .target = field { true } else { false }
  }

  /// Whether the value is stored in the record of the object at which the path starts.
  func isInOwnRecord(in model: ResolvedModel) -> Bool {
    guard steps.isEmpty, !isMany else { return false }
    let entity = model.entities[start]
    switch field {
    case .id, .createdAt, .changedAt, .entity: return true
    case .attribute(let number): return entity.attributes[number].derivation == nil
    case .target(let number):
      let link = entity.relationships[number]
      return link.isInRecord && (!link.isSoft || entity.isKey(relationship: number))
    case .place: return false
    }
  }
}
