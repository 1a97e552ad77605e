extension PageInspector {
  /// The purpose of a tree.
  enum Tree {
    /// The list of free pages, by the commit that freed them.
    case free
    /// The unnamed table, with the records of the other tables.
    case main
    case table(String)

    var location: String {
      switch self {
      case .free: "the list of free pages"
      case .main: "the unnamed table"
      case .table(let name): "table \(name)"
      }
    }
  }

  /// The range of a page's keys: not less than the lower bound, less than the upper bound.
  struct Bounds {
    var lower: [UInt8] = []
    var upper: [UInt8]?
  }

  /// A walk over a tree, with its counts.
  struct Walk {
    let tree: Tree
    let depth: Int
    var counts = TableRecord()
  }

  /// Checks all pages of a tree, and compares its record with them.
  mutating func walk(_ record: TableRecord, as tree: Tree) {
    if case .table(let name) = tree { check.entryCounts[name] = Int(exactly: record.entryCount) ?? 0 }
    guard record.root != PageLayout.noPage else {
      let isEmpty =
        record.depth == 0 && record.entryCount == 0 && record.branchPageCount == 0 && record.leafPageCount == 0
        && record.overflowPageCount == 0
      if !isEmpty { report(tree.location, "it has no root, but its record counts pages or entries") }
      return
    }
    guard (1...PageLayout.maximumDepth).contains(record.depth) else {
      return report(tree.location, "its depth cannot be \(record.depth)")
    }
    var walk = Walk(tree: tree, depth: record.depth)
    visit(record.root, level: 1, Bounds(), &walk)
    // With pages left out, a comparison of the counts would only repeat their faults.
    guard !isFull else { return }
    compare(record, walk)
  }

  private mutating func compare(_ record: TableRecord, _ walk: Walk) {
    let counts = walk.counts
    let pairs = [
      ("branch pages", record.branchPageCount, counts.branchPageCount),
      ("leaf pages", record.leafPageCount, counts.leafPageCount),
      ("overflow pages", record.overflowPageCount, counts.overflowPageCount),
      ("entries", record.entryCount, counts.entryCount),
    ]
    for (name, expected, found) in pairs where expected != found {
      report(walk.tree.location, "its record counts \(expected) \(name), but it has \(found)")
    }
  }

  private mutating func visit(_ page: UInt64, level: Int, _ bounds: Bounds, _ walk: inout Walk) {
    guard !isFull, let number = claim(page, for: walk.tree.location) else { return }
    let location = "page \(number) of \(walk.tree.location)"
    guard let bytes = bytes(ofPage: number) else { return report(location, "it cannot be read") }
    let isLeaf = level == walk.depth
    guard let nodes = nodes(of: bytes, number: number, isLeaf: isLeaf, walk.tree, location) else { return }
    checkKeys(nodes, isLeaf: isLeaf, bounds, walk.tree, location)
    if isLeaf {
      walk.counts.leafPageCount += 1
      walk.counts.entryCount += UInt64(nodes.count)
      for node in nodes where !isFull { visitValue(of: node, bytes, &walk, location) }
    } else {
      walk.counts.branchPageCount += 1
      visitChildren(nodes, level: level, bounds, &walk)
    }
  }

  private mutating func visitChildren(_ nodes: [PageNode], level: Int, _ bounds: Bounds, _ walk: inout Walk) {
    for index in nodes.indices {
      // The first key of a branch is not used; its child has all keys below the second.
      let lower = index == 0 ? bounds.lower : sortable(nodes[index].key, walk.tree)
      let upper = index + 1 < nodes.count ? sortable(nodes[index + 1].key, walk.tree) : bounds.upper
      visit(nodes[index].child, level: level + 1, Bounds(lower: lower, upper: upper), &walk)
    }
  }

  /// Returns a key as bytes that sort in the tree's order.
  func sortable(_ key: ArraySlice<UInt8>, _ tree: Tree) -> [UInt8] {
    // The list of free pages has numbers as keys, in the machine's order.
    guard case .free = tree, 1.littleEndian == 1 else { return Array(key) }
    return key.reversed()
  }
}

extension PageInspector {
  /// Returns the nodes of a page in key order, or reports a fault and returns `nil`.
  private mutating func nodes(
    of page: PageBytes, number: Int, isLeaf: Bool, _ tree: Tree, _ location: String
  ) -> [PageNode]? {
    guard page.uint64(0) == UInt64(number) else {
      report(location, "it has the number of another page")
      return nil
    }
    guard page.uint16(10) == (isLeaf ? PageLayout.leafFlag : PageLayout.branchFlag) else {
      report(location, "it is not a \(isLeaf ? "leaf" : "branch") page, as its level demands")
      return nil
    }
    guard let lower = page.uint16(12), let upper = page.uint16(14), lower >= PageLayout.headerSize, lower <= upper,
      upper <= page.count, lower % 2 == 0
    else {
      report(location, "its free room has bounds that cannot be")
      return nil
    }
    let count = (lower - PageLayout.headerSize) / 2
    // LMDB asserts two entries in each branch, except in the list of free pages.
    var least = isLeaf ? 1 : 2
    if case .free = tree { least = 1 }
    guard count >= least else {
      report(location, "it has \(count) entries, but needs \(least)")
      return nil
    }
    return nodes(of: page, count: count, upper: upper, isLeaf: isLeaf, location)
  }

  private mutating func nodes(
    of page: PageBytes, count: Int, upper: Int, isLeaf: Bool, _ location: String
  ) -> [PageNode]? {
    var nodes: [PageNode] = []
    nodes.reserveCapacity(count)
    for index in 0..<count {
      guard let offset = page.uint16(PageLayout.headerSize + 2 * index), offset >= upper, offset % 2 == 0,
        let node = PageNode(page, at: offset),
        page.slice(offset, isLeaf ? node.sizeInLeaf : node.sizeInBranch) != nil
      else {
        report(location, "entry \(index) is not inside of the page")
        return nil
      }
      nodes.append(node)
    }
    let sorted = nodes.sorted { $0.offset < $1.offset }
    // LMDB packs entries at the page's end; a wrong bound does harm only when the next entry is added.
    guard let first = sorted.first, first.offset == upper else {
      report(location, "its free room does not end where its entries begin")
      return nil
    }
    for (node, next) in zip(sorted, sorted.dropFirst())
    where node.offset + (isLeaf ? node.sizeInLeaf : node.sizeInBranch) > next.offset {
      report(location, "entries lie over each other")
      return nil
    }
    return nodes
  }

  private mutating func checkKeys(
    _ nodes: [PageNode], isLeaf: Bool, _ bounds: Bounds, _ tree: Tree, _ location: String
  ) {
    var previous: [UInt8]?
    for (index, node) in nodes.enumerated() where isLeaf || index > 0 {
      guard isKeySizeRight(node.key.count, tree) else {
        return report(location, "entry \(index) has a key of \(node.key.count) bytes")
      }
      let key = sortable(node.key, tree)
      if let previous, !precedes(previous, key) { return report(location, "its keys do not rise at entry \(index)") }
      if precedes(key, bounds.lower) || bounds.upper.map({ !precedes(key, $0) }) == true {
        return report(location, "entry \(index) has a key that belongs to another page")
      }
      previous = key
    }
  }

  private func isKeySizeRight(_ size: Int, _ tree: Tree) -> Bool {
    if case .free = tree { return size == 8 }
    return size > 0
  }

  private func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    unsafe left.withUnsafeBytes { left in unsafe right.withUnsafeBytes { right in unsafe compareBytes(left, right) < 0 }
    }
  }
}
