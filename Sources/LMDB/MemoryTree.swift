/// A B+ tree of records, with nodes of up to 256.
///
/// Leaves are linked in key order. Nodes are split when they are full and freed when they are empty, but never merged:
/// a table of changes is filled, read and discarded.
struct MemoryTree {
  private(set) var root: MemoryNode
  private(set) var first: MemoryNode
  private(set) var last: MemoryNode
  private(set) var count = 0
  private(set) var nodeSizeInBytes: Int
  /// Counts the insertions and removals; a place in the tree is valid while it does not change.
  private(set) var changeCount = 0
  /// Counts the calls of `removeAll`, which also releases the memory.
  private(set) var clearCount = 0
  private(set) var arena = MemoryArena()
  /// Where the last record was inserted, or `nil` if it may have moved since.
  private var latest: Place?

  init() {
    root = .make(isLeaf: true)
    first = root
    last = root
    nodeSizeInBytes = MemoryNode.size(isLeaf: true)
  }

  /// Frees all memory; the tree must not be used again.
  func deallocate() {
    deallocate(root)
    arena.deallocate()
  }

  private func deallocate(_ node: MemoryNode) {
    if !node.isLeaf { for index in 0..<node.count { deallocate(node.child(index)) } }
    node.deallocate()
  }

  /// A place between the records, or at one.
  struct Place {
    var leaf: MemoryNode
    /// At most the leaf's count.
    var index: Int
  }
}

extension MemoryTree {
  /// Finds the first record whose key is not less than a key, and whether it is equal.
  ///
  /// The index may be past the end of the leaf.
  @inline(__always)
  func find(_ key: UnsafeRawBufferPointer) -> (place: Place, isEqual: Bool) {
    var node = root
    while !node.isLeaf { node = node.child(node.childIndex(for: key)) }
    let (index, isEqual) = node.search(key)
    return (Place(leaf: node, index: index), isEqual)
  }

  /// Returns the record with a key, or `nil` if the tree has none.
  func record(for key: UnsafeRawBufferPointer) -> MemoryRecord? {
    let (place, isEqual) = find(key)
    return isEqual ? place.leaf.record(place.index) : nil
  }

  /// Puts a value, or a deletion, under a key.
  mutating func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) {
    let (place, isEqual) = placeForPut(key)
    guard isEqual else {
      latest = insert(MemoryRecord(key, value, in: &arena), at: place)
      return
    }
    let present = place.leaf.record(place.index)
    if present.replaceValue(value) { return }
    // The former record stays in the arena, so leave room for a value that grows in small steps.
    let room = present.capacity == 0 ? 0 : (value?.count ?? 0) / 2
    place.leaf.setRecord(place.index, MemoryRecord(key, value, room: room, in: &arena))
  }

  private func placeForPut(_ key: UnsafeRawBufferPointer) -> (place: Place, isEqual: Bool) {
    // Keys often rise: then they belong after the previous key, or at the end.
    if let place = placeBehindLatest(key) { return (place, false) }
    let (index, isEqual) = last.search(key)
    if index > 0 || last == first { return (Place(leaf: last, index: index), isEqual) }
    return isEqual ? (Place(leaf: last, index: index), true) : find(key)
  }

  /// Returns the place after the latest insertion, or `nil` if the key does not belong there.
  private func placeBehindLatest(_ key: UnsafeRawBufferPointer) -> Place? {
    guard let latest, compareBytes(latest.leaf.record(latest.index).key, key) < 0 else { return nil }
    let place = Place(leaf: latest.leaf, index: latest.index + 1)
    guard place.index < place.leaf.count else { return place.leaf == last ? place : nil }
    return compareBytes(key, place.leaf.record(place.index).key) < 0 ? place : nil
  }

  /// Inserts a record and returns its place.
  private mutating func insert(_ record: MemoryRecord, at place: Place) -> Place {
    count += 1
    changeCount &+= 1
    guard place.leaf.isFull else {
      place.leaf.insert(record, at: place.index)
      return place
    }
    let right = split(place.leaf, at: place.index)
    if right.count == 0 {
      right.insert(record, at: 0)
      link(right, after: place.leaf)
      return Place(leaf: right, index: 0)
    }
    link(right, after: place.leaf)
    let left = place.leaf.count
    let target = place.index <= left ? place : Place(leaf: right, index: place.index - left)
    target.leaf.insert(record, at: target.index)
    return target
  }

  /// Moves half of the records of a full node into a new one.
  ///
  /// At the tree's end it moves none, so that rising keys fill their nodes.
  private mutating func split(_ node: MemoryNode, at index: Int) -> MemoryNode {
    let right = MemoryNode.make(isLeaf: node.isLeaf)
    nodeSizeInBytes += MemoryNode.size(isLeaf: node.isLeaf)
    if node.isLeaf {
      right.next = node.next
      right.previous = node
      node.next?.previous = right
      node.next = right
      if last == node {
        last = right
        if index == node.count { return right }
      }
    }
    node.move(from: node.count / 2, to: right)
    return right
  }

  /// Adds a new node to the parent of its left neighbour.
  private mutating func link(_ node: MemoryNode, after left: MemoryNode) {
    guard let parent = left.parent else {
      let parent = MemoryNode.make(isLeaf: false)
      nodeSizeInBytes += MemoryNode.size(isLeaf: false)
      parent.insert(left.record(0), child: left, at: 0)
      parent.insert(node.record(0), child: node, at: 1)
      root = parent
      return
    }
    let index = parent.index(ofChild: left) + 1
    // Keys below all others are inserted under the first child without updating its record in the parent, which might
    // not be less than the record of the new node.
    if index == 1 { parent.lowerFirstRecord(to: left.record(0)) }
    guard parent.isFull else { return parent.insert(node.record(0), child: node, at: index) }
    let right = split(parent, at: index)
    let count = parent.count
    if index <= count {
      parent.insert(node.record(0), child: node, at: index)
    } else {
      right.insert(node.record(0), child: node, at: index - count)
    }
    link(right, after: parent)
  }
}

extension MemoryTree {
  /// Removes a record.
  ///
  /// Its memory is not used again until `removeAll`, because a branch may still refer to its key.
  mutating func remove(_ key: UnsafeRawBufferPointer) {
    let (place, isEqual) = find(key)
    guard isEqual else { return }
    latest = nil
    count -= 1
    changeCount &+= 1
    place.leaf.remove(at: place.index)
    if place.leaf.count == 0, place.leaf != root { unlink(place.leaf) }
  }

  private mutating func unlink(_ leaf: MemoryNode) {
    if first == leaf, let next = leaf.next { first = next }
    if last == leaf, let previous = leaf.previous { last = previous }
    leaf.previous?.next = leaf.next
    leaf.next?.previous = leaf.previous
    removeFromParent(leaf)
    while !root.isLeaf, root.count == 1 {
      let child = root.child(0)
      child.parent = nil
      free(root)
      root = child
    }
  }

  private mutating func removeFromParent(_ node: MemoryNode) {
    guard let parent = node.parent else { preconditionFailure("An empty root is not removed") }
    parent.remove(at: parent.index(ofChild: node))
    free(node)
    // The root has at least two children, so this ends before it.
    if parent.count == 0 { removeFromParent(parent) }
  }

  private mutating func free(_ node: MemoryNode) {
    nodeSizeInBytes -= MemoryNode.size(isLeaf: node.isLeaf)
    node.deallocate()
  }

  mutating func removeAll() {
    changeCount &+= 1
    clearCount &+= 1
    latest = nil
    count = 0
    if root.isLeaf {
      root.removeAll()
    } else {
      deallocate(root)
      root = .make(isLeaf: true)
      first = root
      last = root
      nodeSizeInBytes = MemoryNode.size(isLeaf: true)
    }
    arena.removeAll()
  }

  /// Checks the invariants of the whole tree.
  func checkInvariants() {
    var total = 0
    var leaf: MemoryNode? = first
    var previousKey: UnsafeRawBufferPointer?
    while let node = leaf {
      precondition(node.count > 0 || node == root, "Only a root is empty")
      for index in 0..<node.count {
        let key = node.record(index).key
        if let previousKey { precondition(compareBytes(previousKey, key) < 0, "Keys rise over the leaves") }
        precondition(find(key).isEqual, "Each key is found")
        previousKey = key
      }
      total += node.count
      precondition(node.next != nil || node == last, "The last leaf has no next one")
      precondition(node.next?.previous == node || node.next == nil, "Leaves are linked both ways")
      leaf = node.next
    }
    precondition(total == count, "The leaves have all records")
    checkInvariants(root)
  }

  private func checkInvariants(_ node: MemoryNode) {
    node.checkInvariants()
    guard !node.isLeaf else { return }
    for index in 0..<node.count { checkInvariants(node.child(index)) }
  }
}
