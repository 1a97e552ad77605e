import DaybookModel

/// The place of a node among the nodes beside it: bytes that sort as the names do, or an order key, and then the id.
package struct SiblingKey: Hashable, Comparable, Sendable {
  let bytes: [UInt8]
  package let id: ObjectID

  package static func < (a: SiblingKey, b: SiblingKey) -> Bool {
    let order = compareBytes(a.bytes.rawSpan, b.bytes.rawSpan)
    return order != 0 ? order < 0 : a.id < b.id
  }
}

extension [SiblingKey] {
  /// Returns the number of keys before a key; the keys are sorted.
  func rank(of key: SiblingKey) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns the sorted keys without some ids, and with other keys.
  func replacing(_ ids: Set<ObjectID>, with added: [SiblingKey]) -> [SiblingKey] {
    let added = added.sorted()
    var merged: [SiblingKey] = []
    merged.reserveCapacity(count + added.count)
    var next = 0
    for key in self where !ids.contains(key.id) {
      while next < added.count, added[next] < key {
        merged.append(added[next])
        next += 1
      }
      merged.append(key)
    }
    return merged + added[next...]
  }
}
