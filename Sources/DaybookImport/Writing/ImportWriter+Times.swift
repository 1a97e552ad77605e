#if Import

import Daybook
import DaybookModel

extension ImportWriter {
  /// An object that waits for its commit.
  private struct Waiting {
    let object: SourceObject
    let route: Int
  }

  /// Writes the objects in a commit for each time at which the application created some, and all other links at the end.
  ///
  /// The commits are in the order of the times, but an object is not before one that it requires. Objects whose entities
  /// require each other are in one commit, which has the time of the import.
  ///
  /// - Complexity: The memory is for all objects without their files.
  func writeByTime(_ times: CreationTimes, _ limits: PartLimits) throws {
    (tally, revived) = (ImportTally(), [])
    let required = try requiredLinks()
    var (order, waiting, timedCount): (TimeOrder, [Waiting], Int) = (TimeOrder(), [], 0)
    for group in RequiredOrder(routes, in: model).groups {
      // The objects of a group that is not divisible.
      var (together, others): ([ObjectID], Set<ObjectID>) = ([], [])
      for (number, route) in routes.entities.enumerated() where group.entities.contains(route.name) {
        try route.source.forEachObject(of: route.sourceEntity) { object in
          waiting.append(Waiting(object: object, route: number))
          let id = id(of: object.key, route.source)
          let required = required[id, default: []].map { other(than: id, $0) }
          if group.isDivisible {
            let time = times.time(of: object, route: number)
            if time != nil { timedCount += 1 }
            order.add(time, of: id, requiring: required)
          } else {
            together.append(id)
            others.formUnion(required)
          }
        }
      }
      if !together.isEmpty { order.add(together, requiring: others) }
    }
    tally.notes.append("--created: \(timedCount) of \(waiting.count) objects have a time at which they were created")
    for part in order.commits.parts(of: limits.count) {
      let (tallyBefore, revivedBefore) = (tally, revived)
      // A session may run its closure again.
      try commits.together {
        tally = tallyBefore
        revived = revivedBefore
        for commit in part { try write(commit.objects.map { waiting[$0] }, at: commit.time, required) }
      }
    }
    for link in routes.links { try writeRest(of: link, limits) }
    try make { try deleteGone($0) }
  }

  private func write(
    _ part: [Waiting], at time: Timestamp?, _ required: [ObjectID: [RequiredLink]]
  ) throws {
    try make(at: time) { tx in
      for item in part { try write(item.object, routes.entities[item.route], tx) }
      for item in part {
        for link in required[id(of: item.object.key, routes.entities[item.route].source), default: []] {
          let route = routes.links[link.route]
          guard merge == nil || isNew(link.found, route) else { continue }
          try relate(link.found, route, tx)
        }
      }
    }
  }

  // MARK: Required links

  /// A link that an object requires.
  private struct RequiredLink {
    let route: Int
    let found: SourceLink
  }

  private func other(than id: ObjectID, _ link: RequiredLink) -> ObjectID {
    let source = routes.links[link.route].source
    let first = self.id(of: link.found.source, source)
    return first == id ? self.id(of: link.found.target, source) : first
  }

  /// Returns the links that objects require, by the objects.
  private func requiredLinks() throws -> [ObjectID: [RequiredLink]] {
    var required: [ObjectID: [RequiredLink]] = [:]
    for (number, link) in routes.links.enumerated() {
      let ends = requiredEnds(of: link)
      guard ends.source || ends.target else { continue }
      _ = try link.source.forEachLink(of: link.field) { found in
        let item = RequiredLink(route: number, found: found)
        if ends.source { required[id(of: found.source, link.source), default: []].append(item) }
        if ends.target { required[id(of: found.target, link.source), default: []].append(item) }
      }
    }
    return required
  }
}

private extension [TimeOrder.Commit] {
  /// Returns the commits in parts of at most so many objects, as far as a commit has no more; a longer one is divided if it may be.
  func parts(of count: Int) -> [[TimeOrder.Commit]] {
    var (parts, part, size): ([[TimeOrder.Commit]], [TimeOrder.Commit], Int) = ([], [], 0)
    for commit in self {
      for start in stride(from: 0, to: commit.objects.count, by: commit.isDivisible ? count : commit.objects.count) {
        let end = commit.isDivisible ? Swift.min(start + count, commit.objects.count) : commit.objects.count
        let objects = [Int](commit.objects[start..<end])
        if size + objects.count > count, !part.isEmpty {
          parts.append(part)
          (part, size) = ([], 0)
        }
        part.append(TimeOrder.Commit(time: commit.time, objects: objects, isDivisible: commit.isDivisible))
        size += objects.count
      }
    }
    return part.isEmpty ? parts : parts + [part]
  }
}

#endif
