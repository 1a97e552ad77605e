#if Import

import DaybookModel

extension ImportWriter {
  /// Calls `body` with the targets of each object of the source, also of an object without any.
  ///
  /// The memory is for the objects that have targets.
  func forEachGroup(of link: LinkRoute, _ body: (LinkGroup) throws -> Void) throws {
    var group: (key: SourceKey, targets: [ObjectID])?
    var linked: Set<SourceKey> = []
    func end() throws {
      guard let ended = group else { return }
      linked.insert(ended.key)
      try body(
        LinkGroup(
          source: id(of: ended.key, link.source), name: link.source.objectName(ended.key), targets: ended.targets))
    }
    let notes = try link.source.forEachLink(of: link.field) { found in
      if link.counts(found) { tally.linkCounts[link.target, default: 0] += 1 }
      let target = id(of: found.target, link.source)
      if group?.key == found.source {
        group?.targets.append(target)
        return
      }
      try end()
      group = (found.source, [target])
    }
    tally.linkNotes[link.target, default: []] += notes
    try end()
    for route in routes.entities
    where route.source.name == link.source.name && model.isKind(route.name, of: link.entity) {
      try route.source.forEachObject(of: route.sourceEntity) { object in
        guard !linked.contains(object.key) else { return }
        try body(
          LinkGroup(source: id(of: object.key, link.source), name: link.source.objectName(object.key), targets: []))
      }
    }
  }
}

#endif
