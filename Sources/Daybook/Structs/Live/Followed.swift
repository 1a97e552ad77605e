import DaybookDiff
import DaybookModel

/// The store or context that observed results belong to, with the results.
enum Followed: Sendable {
  case store(Store, LiveResults)
  case context(EditingContext, EditingResults)

  var results: any FollowedResults {
    switch self {
    case .store(_, let results): results
    case .context(_, let results): results
    }
  }

  /// Returns the state in which rows of a position look up related objects.
  func origin(at position: Position) -> RowSource.Origin {
    switch self {
    case .store(let store, _): .past(store.at(position))
    case .context(let context, _): .context(context)
    }
  }

  /// Returns all sections, their position, and the source of their rows.
  func everything<Object>(of request: EntityRequest<Object>) throws -> (
    sections: [EntityResults<Object>.Section], position: Position, source: RowSource
  ) {
    try results.withRows { shown in
      let ids = try shown.rows.ids
      let prefetched = try Prefetched(
        from: ids.sections.flatMap(\.ids), along: request.prefetched, in: shown.reader)
      let source = RowSource(origin(at: shown.position), prefetched: prefetched)
      let sections = try ids.sections.map { section in
        EntityResults<Object>.Section(
          name: section.name,
          rows: try section.ids.compactMap { try shown.object($0).map { try Stored($0, source: source) } })
      }
      return (sections, shown.position, source)
    }
  }

  /// Returns the rows that were inserted, moved or updated.
  func rows<Object>(of change: EntityChange<Object>, source: RowSource) throws -> [Stored<Object>] {
    try results.withRows { shown in
      try change.difference.rows.compactMap { row in
        guard row.to != nil, let object = try shown.object(row.id.objectID) else { return nil }
        return try Stored(object, source: source)
      }
    }
  }
}
