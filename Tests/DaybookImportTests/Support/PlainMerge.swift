#if Import

import DaybookModel
import DaybookTestSupport

@testable import DaybookImport

/// The three-way merge of an import with dictionaries: what the source has now, what imports have written, and the store.
struct PlainMerge {
  struct Object: Hashable, Comparable {
    let entity: String
    let key: Int64

    static func < (a: Object, b: Object) -> Bool { (a.entity, a.key) < (b.entity, b.key) }
  }

  struct State: Equatable {
    var values: [String: Value]
    var owner: Int64?
    var tags: Set<Int64> = []
    /// The tags that have this one among theirs, too.
    var peers: Set<Int64> = []
  }

  /// The store.
  var present: [Object: State] = [:]
  /// What imports have written of each object that they inserted and did not delete.
  private var written: [Object: State] = [:]

  static func values(_ values: [String: SourceValue]) -> [String: Value] {
    var result: [String: Value] = ["a": .null, "b": .null]
    for (name, value) in values {
      if case .value(let value) = value { result[name] = value }
    }
    return result
  }

  /// Returns one of the objects of an entity, or `nil` without any.
  func first(_ entity: String, _ random: inout SeededRandom) -> Int64? {
    let keys = present.keys.filter { $0.entity == entity }.map(\.key).sorted()
    return keys.isEmpty ? nil : random.pick(keys)
  }

  /// Deletes an object with its links.
  mutating func delete(_ object: Object) {
    present[object] = nil
    for other in present.keys {
      if object.entity == "Owner", present[other]?.owner == object.key { present[other]?.owner = nil }
      if object.entity == "Tag" {
        present[other]?.tags.remove(object.key)
        if other.entity == "Tag" { present[other]?.peers.remove(object.key) }
      }
    }
  }

  /// Makes or removes the link of two tags, which may be one, in the store or in what imports have written.
  static func link(_ a: Int64, _ b: Int64, _ areLinked: Bool, in states: inout [Object: State]) {
    for (one, other) in [(a, b), (b, a)] {
      let object = Object(entity: "Tag", key: one)
      if areLinked { states[object]?.peers.insert(other) } else { states[object]?.peers.remove(other) }
    }
  }

  mutating func link(_ a: Int64, _ b: Int64, _ areLinked: Bool) {
    Self.link(a, b, areLinked, in: &present)
  }

  /// Merges a source.
  mutating func take(_ source: PlainSource, sourceWins: Bool) {
    var revived: Set<Object> = []
    for entity in ["Item", "Owner", "Tag"] {
      for (key, row) in source.allRows(of: entity) {
        let object = Object(entity: entity, key: key)
        if mergeValues(of: object, Self.values(row.values), sourceWins) { revived.insert(object) }
      }
    }
    for object in revived {
      for other in written.keys where object.entity == "Owner" && written[other]?.owner == object.key {
        written[other]?.owner = nil
      }
      if object.entity == "Tag" {
        for other in written.keys {
          written[other]?.tags.remove(object.key)
          if other.entity == "Tag" { written[other]?.peers.remove(object.key) }
        }
      }
    }
    for (key, row) in source.allRows(of: "Item") {
      mergeLinks(of: Object(entity: "Item", key: key), row, source, sourceWins)
    }
    mergePeers(source)
    deleteGone(source, sourceWins)
  }

  private mutating func mergePeers(_ source: PlainSource) {
    var wanted: [Int64: Set<Int64>] = [:]
    for (key, row) in source.allRows(of: "Tag") {
      for peer in row.links["peers"] ?? [] {
        wanted[key, default: []].insert(peer)
        wanted[peer, default: []].insert(key)
      }
    }
    for key in source.allRows(of: "Tag").keys.sorted() {
      let tag = Object(entity: "Tag", key: key)
      guard let head = present[tag], let former = written[tag] else { continue }
      for peer in head.peers.subtracting(wanted[key] ?? [])
      where former.peers.contains(peer) && source.rows["Tag"]?[peer] != nil {
        Self.link(key, peer, false, in: &present)
        Self.link(key, peer, false, in: &written)
      }
      for peer in (wanted[key] ?? []).subtracting(head.peers).subtracting(former.peers) {
        guard present[Object(entity: "Tag", key: peer)] != nil else { continue }
        Self.link(key, peer, true, in: &present)
        Self.link(key, peer, true, in: &written)
      }
    }
  }

  /// - Returns: Whether a deleted object was inserted again.
  private mutating func mergeValues(of object: Object, _ now: [String: Value], _ sourceWins: Bool) -> Bool {
    guard let head = present[object] else {
      let former = written[object]
      if let former, former.values == now || !sourceWins { return false }
      present[object] = State(values: now)
      written[object] = State(values: now)
      return former != nil
    }
    for name in ["a", "b"] {
      let (wanted, former) = (now[name] ?? .null, written[object]?.values[name])
      guard wanted != head.values[name], former != wanted else { continue }
      guard former == head.values[name] || sourceWins else { continue }
      present[object]?.values[name] = wanted
      written[object]?.values[name] = wanted
    }
    return false
  }

  private mutating func mergeLinks(
    of object: Object, _ row: PlainSource.Row, _ source: PlainSource, _ sourceWins: Bool
  ) {
    guard let head = present[object], let former = written[object] else { return }
    let wanted = row.links["owner"]?.first
    if wanted != head.owner, wanted != former.owner, former.owner == head.owner || sourceWins {
      // The links of an object that is gone stay until it is deleted.
      let isGone = head.owner.map { source.rows["Owner"]?[$0] == nil } ?? false
      if wanted.map({ present[Object(entity: "Owner", key: $0)] != nil }) ?? !isGone {
        present[object]?.owner = wanted
        written[object]?.owner = wanted
      }
    }
    let tags = Set(row.links["tags"] ?? [])
    for tag in head.tags.subtracting(tags) where former.tags.contains(tag) && source.rows["Tag"]?[tag] != nil {
      present[object]?.tags.remove(tag)
      written[object]?.tags.remove(tag)
    }
    for tag in tags.subtracting(head.tags).subtracting(former.tags) {
      guard present[Object(entity: "Tag", key: tag)] != nil else { continue }
      present[object]?.tags.insert(tag)
      written[object]?.tags.insert(tag)
    }
  }

  private mutating func deleteGone(_ source: PlainSource, _ sourceWins: Bool) {
    for (object, former) in written {
      guard source.allRows(of: object.entity)[object.key] == nil, let head = present[object] else { continue }
      guard head.values == former.values || sourceWins else { continue }
      // The links that the import removes with the object are removed by it, also those that it has not made.
      for other in written.keys {
        if object.entity == "Owner", present[other]?.owner == object.key, written[other]?.owner == object.key {
          written[other]?.owner = nil
        }
        if object.entity == "Tag", present[other]?.tags.contains(object.key) == true {
          written[other]?.tags.remove(object.key)
        }
        if object.entity == "Tag", other.entity == "Tag", present[other]?.peers.contains(object.key) == true {
          written[other]?.peers.remove(object.key)
        }
      }
      delete(object)
      written[object] = nil
    }
  }
}

#endif
