/// Filling a tree with many records at once.
extension MemoryTree {
  /// Exchanges all records with another tree; places in both trees become invalid.
  mutating func exchange(with other: inout MemoryTree) {
    unsafe swap(&self, &other)
    let changes = unsafe max(changeCount, other.changeCount) &+ 1
    let clears = unsafe max(clearCount, other.clearCount) &+ 1
    unsafe setCounts(changes: changes, clears: clears)
    unsafe other.setCounts(changes: changes, clears: clears)
  }

  /// Stores a record in the tree's memory, without adding it to the tree.
  mutating func makeRecord(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer?) -> MemoryRecord {
    unsafe MemoryRecord(key, value, stamp: savepointNumber, in: &arena)
  }

  /// Adds records whose keys rise, and which ``makeRecord(_:_:)`` made. A present record of the same key is replaced.
  ///
  /// - Complexity: O(*k*) for *k* records in an empty tree; else as for *k* calls of ``put(_:_:)``.
  mutating func add(_ records: borrowing PlainList<MemoryRecord>) {
    guard unsafe !records.isEmpty else { return }
    guard unsafe count == 0 else {
      for index in unsafe records.indices { unsafe put(records[index]) }
      return
    }
    unsafe setRoot(over: makeLeaves(records), count: records.count)
  }

  /// Makes full leaves of all records, the first of which is the root of the empty tree.
  private mutating func makeLeaves(_ records: borrowing PlainList<MemoryRecord>) -> [MemoryNode] {
    var leaves: [MemoryNode] = unsafe []
    for start in unsafe stride(from: 0, to: records.count, by: MemoryNode.capacity) {
      let leaf = unsafe start == 0 ? root : makeNode(isLeaf: true)
      unsafe leaf.fill(records, start..<min(start + MemoryNode.capacity, records.count))
      unsafe leaf.previous = unsafe leaves.last
      unsafe leaves.last?.next = unsafe leaf
      unsafe leaves.append(leaf)
    }
    return unsafe leaves
  }

  /// Makes the branches over leaves.
  private mutating func setRoot(over leaves: [MemoryNode], count: Int) {
    var level = unsafe leaves
    while unsafe level.count > 1 {
      var branches: [MemoryNode] = unsafe []
      for start in unsafe stride(from: 0, to: level.count, by: MemoryNode.capacity) {
        let branch = unsafe makeNode(isLeaf: false)
        for index in unsafe start..<min(start + MemoryNode.capacity, level.count) {
          let child = unsafe level[index]
          unsafe branch.insert(child.record(0), child: child, at: index - start)
        }
        unsafe branches.append(branch)
      }
      unsafe level = unsafe branches
    }
    guard let first = unsafe leaves.first, let last = unsafe leaves.last, let root = unsafe level.first else { return }
    unsafe replaceContents(root: root, first: first, last: last, count: count)
  }
}
