extension PageInspector {
  /// Checks a leaf's entry: its flags, its value's pages, and the value's meaning to LMDB.
  mutating func visitValue(of node: PageNode, _ page: PageBytes, _ walk: inout Walk, _ location: String) {
    switch (node.flags, walk.tree) {
    case (0, .free):
      checkFreeList(node, from: ValuePart(page: page, offset: node.valueOffset), location)
    case (0, _):
      break
    case (PageLayout.bigNodeFlag, _):
      visitOverflow(of: node, page, &walk, location)
    case (PageLayout.tableNodeFlag, .main):
      visitTable(node, page, location)
    default:
      report(location, "an entry has flags \(node.flags), which are not supported here")
    }
  }

  private mutating func visitOverflow(of node: PageNode, _ page: PageBytes, _ walk: inout Walk, _ location: String) {
    guard let first = page.uint64(node.valueOffset), let number = claim(first, for: location) else { return }
    let run = "overflow page \(number) of \(walk.tree.location)"
    guard let offset = offset(ofPage: number), let header = source.bytes(at: offset, count: PageLayout.headerSize),
      let flags = header.uint16(10), let count = header.uint32(12)
    else { return report(run, "it cannot be read") }
    guard header.uint64(0) == first, flags == PageLayout.overflowFlag else {
      return report(run, "it is not an overflow page")
    }
    let needed = PageLayout.overflowPageCount(node.valueSize, pageSize: pageSize)
    // A value that became shorter keeps its pages, but never more than the largest value needs.
    let most = PageLayout.overflowPageCount(Int(UInt32.max), pageSize: pageSize)
    guard count >= needed, count <= most else {
      return report(run, "it is the first of \(count) pages, but its value needs \(needed)")
    }
    for further in 1..<max(count, 1) {
      guard claim(first + UInt64(further), for: run) != nil else { return }
    }
    walk.counts.overflowPageCount += UInt64(count)
    if case .free = walk.tree {
      checkFreeList(node, from: ValuePart(fileOffset: offset + PageLayout.headerSize), run)
    }
  }

  private mutating func visitTable(_ node: PageNode, _ page: PageBytes, _ location: String) {
    let name = String(decoding: node.key, as: UTF8.self)
    guard node.valueSize == PageLayout.tableRecordSize, let record = TableRecord(page, at: node.valueOffset) else {
      return report(location, "the record of table \(name) has \(node.valueSize) bytes")
    }
    guard record.flags == 0 else {
      return report(location, "table \(name) has flags \(record.flags), which are not supported")
    }
    if isShallow { visitRoot(record, of: name) } else { walk(record, as: .table(name)) }
  }

  /// Checks that a table's root is a page of the kind that its depth requires.
  private mutating func visitRoot(_ record: TableRecord, of name: String) {
    guard record.root != PageLayout.noPage, let number = claim(record.root, for: "table \(name)") else { return }
    let flag = record.depth == 1 ? PageLayout.leafFlag : PageLayout.branchFlag
    guard let page = bytes(ofPage: number), page.uint64(0) == record.root, page.uint16(10) == flag else {
      return report("page \(number) of table \(name)", "it is not the table's root")
    }
  }

  private func offset(ofPage page: Int) -> Int? {
    let (offset, overflow) = page.multipliedReportingOverflow(by: pageSize)
    return overflow ? nil : offset
  }
}

extension PageInspector {
  /// The place of a value: in a page that was read, or on overflow pages in the file.
  private struct ValuePart {
    var page: PageBytes?
    var offset = 0

    init(page: PageBytes, offset: Int) {
      self.page = page
      self.offset = offset
    }

    init(fileOffset: Int) { offset = fileOffset }

    func bytes(_ start: Int, _ count: Int, _ source: PageSource) -> PageBytes? {
      let (position, overflow) = offset.addingReportingOverflow(start)
      guard !overflow else { return nil }
      guard let page else { return source.bytes(at: position, count: count) }
      return page.slice(position, count).map { PageBytes(bytes: Array($0)) }
    }
  }

  /// Checks one commit's list of freed pages: their number, then the pages in descending order.
  private mutating func checkFreeList(_ node: PageNode, from value: ValuePart, _ location: String) {
    let commit = PageBytes(bytes: Array(node.key)).uint64(0) ?? 0
    let name = "the pages freed by commit \(commit), in \(location)"
    if commit == 0 || commit > UInt64(check.transactionID) { report(name, "there was no such commit") }
    guard let count = value.bytes(0, 8, source)?.uint64(0).flatMap({ Int(exactly: $0) }) else {
      return report(name, "the list cannot be read")
    }
    guard count <= node.valueSize / 8 - 1 else { return report(name, "the list says it has \(count) pages") }
    var previous = UInt64.max
    var position = 0
    while position < count, !isFull {
      // The list may be long, so read it in pieces.
      let length = min(count - position, 8192)
      guard let bytes = value.bytes(8 * (position + 1), 8 * length, source) else {
        return report(name, "the list cannot be read")
      }
      for index in 0..<length where !isFull {
        let page = bytes.uint64(8 * index) ?? 0
        if page >= previous { report(name, "the list does not fall") }
        claimFree(page, in: name)
        previous = page
      }
      position += length
    }
  }
}
