#if Import

import Daybook
import DaybookModel

/// The end of a stream of links that has no more for a part.
private struct EndOfPart: Error {}

extension ImportWriter {
  /// The limits of one of several commits.
  struct PartLimits {
    /// The number of objects or links.
    var count = 50_000
    /// The bytes of large values, approximately.
    var sizeInBytes = 64 << 20
  }

  /// Writes everything in several commits.
  func writeInParts(_ limits: PartLimits) throws {
    (tally, revived) = (ImportTally(), [])
    for group in RequiredOrder(routes, in: model).groups {
      let entities = routes.entities.filter { group.entities.contains($0.name) }
      if group.isDivisible {
        for route in entities { try writeObjects(of: route, limits) }
      } else {
        try writeTogether(entities)
      }
    }
    for link in routes.links { try writeRest(of: link, limits) }
    try make { try deleteGone($0) }
  }

  private func writeObjects(of route: EntityRoute, _ limits: PartLimits) throws {
    var part: [SourceObject] = []
    var size = 0
    try route.source.forEachObject(of: route.sourceEntity) { object in
      part.append(object)
      size += object.sizeInBytes
      guard part.count >= limits.count || size >= limits.sizeInBytes else { return }
      try write(part, of: route)
      (part, size) = ([], 0)
    }
    try write(part, of: route)
  }

  private func write(_ part: [SourceObject], of route: EntityRoute) throws {
    guard let last = part.last else { return }
    try make { tx in
      for object in part { try write(object, route, tx) }
      let keys = Set(part.map(\.key))
      for link in routes.links where link.source.name == route.source.name {
        try relateRequired(by: route.name, link, tx, last: last.key) { keys.contains($0) }
      }
    }
  }

  /// Writes entities whose objects require each other.
  private func writeTogether(_ entities: [EntityRoute]) throws {
    try make { tx in
      for route in entities {
        try route.source.forEachObject(of: route.sourceEntity) { try write($0, route, tx) }
      }
      for name in Set(entities.map(\.name)).sorted() {
        for link in routes.links { try relateRequired(by: name, link, tx) { _ in true } }
      }
    }
  }

  /// Writes the links that objects of an entity require.
  ///
  /// - Parameters:
  ///   - last: The greatest key of the objects.
  ///   - isWanted: Returns whether an object is one of them.
  private func relateRequired(
    by entity: String, _ link: LinkRoute, _ tx: borrowing Transaction, last: SourceKey? = nil,
    _ isWanted: (SourceKey) -> Bool
  ) throws {
    let required = requiredEnds(of: link)
    let isOwn = required.source && model.isKind(entity, of: link.entity)
    let isInverse = required.target && model.isKind(entity, of: link.targetEntity)
    guard isOwn || isInverse else { return }
    do {
      _ = try link.source.forEachLink(of: link.field) { found in
        // Links are sorted by source; only row numbers sort as they do here.
        if isOwn, !isInverse, let last, case .row = last.number, found.source > last { throw EndOfPart() }
        guard isOwn && isWanted(found.source) || isInverse && isWanted(found.target) else { return }
        guard merge == nil || isNew(found, link) else { return }
        try relate(found, link, tx)
      }
    } catch is EndOfPart {
      return
    }
  }

  /// Returns whether a link has an end that the present commit has inserted.
  func isNew(_ found: SourceLink, _ link: LinkRoute) -> Bool {
    inserted.contains(id(of: found.source, link.source)) || inserted.contains(id(of: found.target, link.source))
  }

  /// Returns which objects of a relationship's links require them: those that they lead from, and those that they lead to.
  func requiredEnds(of link: LinkRoute) -> (source: Bool, target: Bool) {
    func isRequired(_ relationship: String, of entity: String) -> Bool {
      model.entity(entity)?.relationship(relationship).map { !$0.isMany && !$0.isOptional } ?? false
    }
    return (
      isRequired(link.name, of: link.entity), link.inverse.map { isRequired($0.name, of: link.targetEntity) } ?? false
    )
  }

  // MARK: The rest of the links

  func writeRest(of link: LinkRoute, _ limits: PartLimits) throws {
    if merge != nil { return try mergeRest(of: link, limits) }
    let required = requiredEnds(of: link)
    let isWritten = required.source || required.target
    var part: [SourceLink] = []
    let notes = try link.source.forEachLink(of: link.field) { found in
      if link.counts(found) { tally.linkCounts[link.target, default: 0] += 1 }
      // A link that an object requires is there; only its place may have to be changed.
      if isWritten, !link.isOrdered { return }
      part.append(found)
      guard part.count >= limits.count else { return }
      try write(part, of: link)
      part = []
    }
    tally.linkNotes[link.target, default: []] += notes
    try write(part, of: link)
  }

  private func write(_ part: [SourceLink], of link: LinkRoute) throws {
    guard !part.isEmpty else { return }
    try make { tx in
      for found in part { try relate(found, link, tx) }
    }
  }

  private func mergeRest(of link: LinkRoute, _ limits: PartLimits) throws {
    var (part, count): ([LinkGroup], Int) = ([], 0)
    func flush() throws {
      guard !part.isEmpty else { return }
      try make { tx in
        for group in part { try mergeLinks(group, link, tx) }
      }
      (part, count) = ([], 0)
    }
    try forEachGroup(of: link) { group in
      part.append(group)
      count += 1 + group.targets.count
      if count >= limits.count { try flush() }
    }
    try flush()
  }
}

extension SourceObject {
  /// The bytes of its large values, approximately.
  fileprivate var sizeInBytes: Int {
    values.reduce(0) { size, value in
      switch value {
      case .file(let file): size + file.sizeInBytes
      case .value(.data(let bytes)): size + bytes.count
      case .value(.string(let text)): size + text.utf8.count
      case .value: size + 8
      }
    }
  }
}

#endif
