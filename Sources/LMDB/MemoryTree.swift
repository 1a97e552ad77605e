/// A B+ tree of records, with nodes of up to 256.
///
/// Leaves are linked in key order. Nodes are split when they are full and freed when they are empty, but never merged:
/// a table of changes is filled, read and discarded.
@unsafe
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
  var arena = unsafe MemoryArena()
  /// The number of the last savepoint: records that were made before it are replaced, and not overwritten.
  var savepointNumber: UInt32 = 0
  /// Where the last record was inserted, or `nil` if it may have moved since.
  private var latest: Place?

  init() {
    unsafe root = unsafe .make(isLeaf: true)
    unsafe first = unsafe root
    unsafe last = unsafe root
    unsafe nodeSizeInBytes = unsafe MemoryNode.size(isLeaf: true)
  }

  /// Frees all memory; the tree must not be used again.
  func deallocate() {
    unsafe deallocate(root)
    unsafe arena.deallocate()
  }

  private func deallocate(_ node: MemoryNode) {
    if unsafe !node.isLeaf { for index in unsafe 0..<node.count { unsafe deallocate(node.child(index)) } }
    unsafe node.deallocate()
  }

  /// A place between the records, or at one.
  @unsafe
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
    var node = unsafe root
    while unsafe !node.isLeaf { unsafe node = unsafe node.child(node.childIndex(for: key)) }
    let (index, isEqual) = unsafe node.search(key)
    return unsafe (Place(leaf: node, index: index), isEqual)
  }

  /// Returns the record with a key, or `nil` if the tree has none.
  func record(for key: UnsafeRawBufferPointer) -> MemoryRecord? {
    let (place, isEqual) = unsafe find(key)
    return unsafe isEqual ? place.leaf.record(place.index) : nil
  }

  /// Puts a value, or a deletion, under a key.
  ///
  /// - Returns: What undoes the change after the last savepoint; `nil` if nothing that was there before it is lost.
  @discardableResult
  mutating func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) -> MemoryUndo? {
    let (place, isEqual) = unsafe placeForPut(key)
    guard isEqual else {
      let record = unsafe makeRecord(key, value)
      unsafe latest = unsafe insert(record, at: place)
      return unsafe MemoryUndo(record: record, wasPresent: false)
    }
    let present = unsafe place.leaf.record(place.index)
    let isOlder = unsafe present.stamp != savepointNumber
    if !isOlder, unsafe present.replaceValue(value) { return nil }
    // The former record stays in the arena, so leave room for a value that grows in small steps.
    let room = unsafe isOlder || present.capacity == 0 ? 0 : (value?.count ?? 0) / 2
    unsafe place.leaf.setRecord(
      place.index, MemoryRecord(key, value, stamp: savepointNumber, room: room, in: &arena))
    return unsafe isOlder ? MemoryUndo(record: present, wasPresent: true) : nil
  }

  /// Puts a record that is in the tree's memory.
  mutating func put(_ record: MemoryRecord) {
    let (place, isEqual) = unsafe placeForPut(record.key)
    if isEqual {
      unsafe place.leaf.setRecord(place.index, record)
    } else {
      unsafe latest = unsafe insert(record, at: place)
    }
  }

  /// Replaces the nodes of an empty tree by others.
  mutating func replaceContents(root: MemoryNode, first: MemoryNode, last: MemoryNode, count: Int) {
    unsafe (self.root, self.first, self.last) = unsafe (root, first, last)
    unsafe self.count = count
    unsafe changeCount &+= 1
    unsafe latest = nil
  }

  /// Sets the counts by which cursors notice changes.
  mutating func setCounts(changes: Int, clears: Int) {
    unsafe changeCount = changes
    unsafe clearCount = clears
  }

  /// Makes an empty node, and counts its memory.
  mutating func makeNode(isLeaf: Bool) -> MemoryNode {
    unsafe nodeSizeInBytes += MemoryNode.size(isLeaf: isLeaf)
    return unsafe .make(isLeaf: isLeaf)
  }

  private func placeForPut(_ key: UnsafeRawBufferPointer) -> (place: Place, isEqual: Bool) {
    // Keys often rise: then they belong after the previous key, or at the end.
    if let place = unsafe placeBehindLatest(key) { return unsafe (place, false) }
    let (index, isEqual) = unsafe last.search(key)
    if unsafe index > 0 || last == first { return unsafe (Place(leaf: last, index: index), isEqual) }
    return unsafe isEqual ? (Place(leaf: last, index: index), true) : find(key)
  }

  /// Returns the place after the latest insertion, or `nil` if the key does not belong there.
  private func placeBehindLatest(_ key: UnsafeRawBufferPointer) -> Place? {
    guard let latest = unsafe latest, unsafe compareBytes(latest.leaf.record(latest.index).key, key) < 0 else {
      return nil
    }
    let place = unsafe Place(leaf: latest.leaf, index: latest.index + 1)
    guard unsafe place.index < place.leaf.count else { return unsafe place.leaf == last ? place : nil }
    return unsafe compareBytes(key, place.leaf.record(place.index).key) < 0 ? place : nil
  }

  /// Inserts a record and returns its place.
  private mutating func insert(_ record: MemoryRecord, at place: Place) -> Place {
    unsafe count += 1
    unsafe changeCount &+= 1
    guard unsafe place.leaf.isFull else {
      unsafe place.leaf.insert(record, at: place.index)
      return unsafe place
    }
    let right = unsafe split(place.leaf, at: place.index)
    if unsafe right.count == 0 {
      unsafe right.insert(record, at: 0)
      unsafe link(right, after: place.leaf)
      return unsafe Place(leaf: right, index: 0)
    }
    unsafe link(right, after: place.leaf)
    let left = unsafe place.leaf.count
    let target = unsafe place.index <= left ? place : Place(leaf: right, index: place.index - left)
    unsafe target.leaf.insert(record, at: target.index)
    return unsafe target
  }

  /// Moves half of the records of a full node into a new one.
  ///
  /// At the tree's end it moves none, so that rising keys fill their nodes.
  private mutating func split(_ node: MemoryNode, at index: Int) -> MemoryNode {
    let right = unsafe makeNode(isLeaf: node.isLeaf)
    if unsafe node.isLeaf {
      unsafe right.next = unsafe node.next
      unsafe right.previous = unsafe node
      unsafe node.next?.previous = unsafe right
      unsafe node.next = unsafe right
      if unsafe last == node {
        unsafe last = unsafe right
        if unsafe index == node.count { return unsafe right }
      }
    }
    unsafe node.move(from: node.count / 2, to: right)
    return unsafe right
  }

  /// Adds a new node to the parent of its left neighbour.
  private mutating func link(_ node: MemoryNode, after left: MemoryNode) {
    guard let parent = unsafe left.parent else {
      let parent = unsafe makeNode(isLeaf: false)
      unsafe parent.insert(left.record(0), child: left, at: 0)
      unsafe parent.insert(node.record(0), child: node, at: 1)
      unsafe root = unsafe parent
      return
    }
    let index = unsafe parent.index(ofChild: left) + 1
    // Keys below all others are inserted under the first child without updating its record in the parent, which might
    // not be less than the record of the new node.
    if index == 1 { unsafe parent.lowerFirstRecord(to: left.record(0)) }
    guard unsafe parent.isFull else { return unsafe parent.insert(node.record(0), child: node, at: index) }
    let right = unsafe split(parent, at: index)
    let count = unsafe parent.count
    if index <= count {
      unsafe parent.insert(node.record(0), child: node, at: index)
    } else {
      unsafe right.insert(node.record(0), child: node, at: index - count)
    }
    unsafe link(right, after: parent)
  }
}

extension MemoryTree {
  /// Removes a record.
  ///
  /// Its memory is not used again until `removeAll`, because a branch may still refer to its key.
  ///
  /// - Returns: What undoes the change; `nil` if there was no such record.
  @discardableResult
  mutating func remove(_ key: UnsafeRawBufferPointer) -> MemoryUndo? {
    let (place, isEqual) = unsafe find(key)
    guard isEqual else { return nil }
    let record = unsafe place.leaf.record(place.index)
    unsafe latest = nil
    unsafe count -= 1
    unsafe changeCount &+= 1
    unsafe place.leaf.remove(at: place.index)
    if unsafe place.leaf.count == 0, unsafe place.leaf != root { unsafe unlink(place.leaf) }
    return unsafe MemoryUndo(record: record, wasPresent: true)
  }

  /// Undoes a change, after all changes that came after it.
  mutating func undo(_ change: MemoryUndo) {
    if unsafe change.wasPresent { unsafe put(change.record) } else { unsafe remove(change.record.key) }
  }

  private mutating func unlink(_ leaf: MemoryNode) {
    if unsafe first == leaf, let next = unsafe leaf.next { unsafe first = unsafe next }
    if unsafe last == leaf, let previous = unsafe leaf.previous { unsafe last = unsafe previous }
    unsafe leaf.previous?.next = unsafe leaf.next
    unsafe leaf.next?.previous = unsafe leaf.previous
    unsafe removeFromParent(leaf)
    while unsafe !root.isLeaf, unsafe root.count == 1 {
      let child = unsafe root.child(0)
      unsafe child.parent = nil
      unsafe free(root)
      unsafe root = unsafe child
    }
  }

  private mutating func removeFromParent(_ node: MemoryNode) {
    guard let parent = unsafe node.parent else { preconditionFailure("An empty root is not removed") }
    unsafe parent.remove(at: parent.index(ofChild: node))
    unsafe free(node)
    // The root has at least two children, so this ends before it.
    if unsafe parent.count == 0 { unsafe removeFromParent(parent) }
  }

  private mutating func free(_ node: MemoryNode) {
    unsafe nodeSizeInBytes -= MemoryNode.size(isLeaf: node.isLeaf)
    unsafe node.deallocate()
  }

  mutating func removeAll() {
    unsafe changeCount &+= 1
    unsafe clearCount &+= 1
    unsafe latest = nil
    unsafe count = 0
    unsafe savepointNumber = 0
    if unsafe root.isLeaf {
      unsafe root.removeAll()
    } else {
      unsafe deallocate(root)
      unsafe root = unsafe .make(isLeaf: true)
      unsafe first = unsafe root
      unsafe last = unsafe root
      unsafe nodeSizeInBytes = unsafe MemoryNode.size(isLeaf: true)
    }
    unsafe arena.removeAll()
  }

  /// Checks the invariants of the whole tree.
  func checkInvariants() {
    var total = 0
    var leaf: MemoryNode? = unsafe first
    var previousKey: UnsafeRawBufferPointer?
    while let node = unsafe leaf {
      unsafe precondition(node.count > 0 || node == root, "Only a root is empty")
      for index in unsafe 0..<node.count {
        let key = unsafe node.record(index).key
        if let previousKey = unsafe previousKey {
          unsafe precondition(compareBytes(previousKey, key) < 0, "Keys rise over the leaves")
        }
        unsafe precondition(find(key).isEqual, "Each key is found")
        unsafe previousKey = unsafe key
      }
      unsafe total += node.count
      unsafe precondition(node.next != nil || node == last, "The last leaf has no next one")
      unsafe precondition(node.next?.previous == node || node.next == nil, "Leaves are linked both ways")
      unsafe leaf = unsafe node.next
    }
    unsafe precondition(total == count, "The leaves have all records")
    unsafe checkInvariants(root)
  }

  private func checkInvariants(_ node: MemoryNode) {
    unsafe node.checkInvariants()
    guard unsafe !node.isLeaf else { return }
    for index in unsafe 0..<node.count { unsafe checkInvariants(node.child(index)) }
  }
}
