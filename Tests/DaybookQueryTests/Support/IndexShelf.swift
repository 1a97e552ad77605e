@testable import DaybookModel
@testable import DaybookQuery

/// Executes plans over sorted arrays of keys, like a store over its tables.
struct IndexShelf {
  var world: World
  let entity: Int
  /// The rows of each index: key without tag, and id.
  private let indexes: [[(key: [UInt8], terms: Int, id: ObjectID)]]
  /// The number of rows that the last plan read.
  private(set) var readCount = 0

  init(_ world: World, entity: Int = 0) throws {
    var world = world
    self.entity = entity
    indexes = try world.model.entities[entity].indexes.map { index in
      try world.all(world.model.entities[entity].name).map { thing in
        var key = try IndexShelf.terms(of: thing.id, index, entity, &world)
        let count = key.count
        key.append(thing.id)
        return (key, count, thing.id)
      }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
    self.world = world
  }

  private static func terms(
    of id: ObjectID, _ index: ResolvedIndex, _ entity: Int, _ world: inout World
  ) throws -> [UInt8] {
    var key: [UInt8] = []
    for term in index.terms {
      let value = try value(of: term.path, ObjectKey(entity: entity, id: id), &world)
      SortKey.append(value, order: term.order, isDescending: term.isDescending, to: &key)
    }
    return Array(key.prefix(SortKey.maximumTermsSize))
  }

  private static func value(of path: ResolvedPath, _ object: ObjectKey, _ world: inout World) throws -> Value {
    var object = object
    for step in path.steps {
      guard let id = try world.target(of: step.relationship, of: object) else { return .null }
      object = ObjectKey(entity: step.target, id: id)
    }
    switch path.field {
    case .id: return .uuid(object.id)
    case .target(let number):
      let relationship = RelationshipReference(entity: object.entity, relationship: number)
      return try world.target(of: relationship, of: object).map { .uuid($0) } ?? .null
    default: return try world.value(of: path.field, of: object)
    }
  }

  /// Returns the rows of a plan's access, in its order: ids, and the terms of their keys.
  private mutating func rows(of access: Plan.Access) throws -> [(id: ObjectID, terms: [UInt8])] {
    let all = world.all(world.model.entities[entity].name)
    switch access {
    case .objects: return all.map { ($0.id, []) }
    case .identities(let ids): return ids.filter { id in all.contains { $0.id == id } }.map { ($0, []) }
    case .constraint(let number, let values):
      let fields = world.model.entities[entity].constraints[number].fields
      let found = try all.filter { thing in
        try zip(fields, values).allSatisfy { field, value in
          let path = world.model.entities[entity].path(to: field)
          return try IndexShelf.value(of: path, ObjectKey(entity: entity, id: thing.id), &world) == value
        }
      }
      return found.map { ($0.id, []) }
    case .links(let relationship, let sources):
      let owner = world.model.entities[relationship.entity].name
      var ids: [ObjectID] = []
      for source in sources where world[source]?.entity == owner {
        let object = ObjectKey(entity: relationship.entity, id: source)
        if world.model[relationship].isMany {
          ids += try world.targets(of: relationship, of: object)
        } else if let id = try world.target(of: relationship, of: object) {
          ids.append(id)
        }
      }
      return ids.map { ($0, []) }
    case .index(let number, let ranges, let direction):
      // Two ranges that have changed places are one range, whose rows with null come at the other end.
      if ranges.count != 2 || ranges[1].upper != ranges[0].lower {
        for (a, b) in zip(ranges, ranges.dropFirst()) {
          precondition(a.upper!.lexicographicallyPrecedes(b.lower), "ranges touch")
        }
      }
      for range in ranges {
        precondition(
          range.lower.count <= SortKey.maximumTermsSize && (range.upper?.count ?? 0) <= SortKey.maximumTermsSize)
      }
      let found = ranges.flatMap { range in indexes[number].filter { range.contains($0.key) } }
      let rows = found.map { ($0.id, Array($0.key.prefix($0.terms))) }
      return direction == .forward ? rows : rows.reversed()
    }
  }

  /// Returns the sort keys of the rows of the index that covers a request.
  ///
  /// Returns `nil` if no index covers it, or only one with cut keys or with the empty string as a section.
  func keys(coveredBy request: ResolvedRequest) throws -> [[UInt8]]? {
    guard let cover = IndexCover(request, in: world.model) else { return nil }
    let rows = indexes[cover.index].filter { cover.range.contains($0.key) }
    if rows.contains(where: { $0.terms >= SortKey.maximumTermsSize }) { return nil }
    precondition(rows.allSatisfy { $0.key.starts(with: cover.prefix) }, "a row without the prefix")
    if let section = request.section, section.type == .string {
      var empty = cover.prefix
      SortKey.append(.string(""), order: section.order, isDescending: section.isDescending, to: &empty)
      if rows.contains(where: { $0.key.starts(with: empty) }) { return nil }
    }
    return rows.map { Array($0.key.dropFirst(cover.prefix.count)) }
  }

  /// Returns the result of a plan with its window; reads no further than the plan allows.
  mutating func answer(_ request: ResolvedRequest, _ plan: Plan) throws -> [ObjectID] {
    var sorter = RunSorter<Void>(request, plan)
    var ids: [ObjectID] = []
    let end = request.limit.map { request.offset + $0 }
    readCount = 0
    for row in try rows(of: plan.access) {
      if plan.canStopEarly, let end, ids.count >= end { break }
      readCount += 1
      let object = ObjectKey(entity: entity, id: row.id)
      guard try plan.residual?.matches(object, in: &world) ?? true else { continue }
      let run = try sorter.add((), id: row.id, terms: row.terms) { try request.sortValues(of: object, in: &world) }
      ids += (run ?? []).map(\.id)
    }
    ids += try sorter.finish().map(\.id)
    return Array(ids.dropFirst(request.offset).prefix(request.limit ?? .max))
  }
}
