/// Walks through a data file and collects its faults; see ``PageCheck``.
struct PageInspector {
  var check = PageCheck()
  let source: PageSource
  private let maximumFaultCount: Int
  /// The number of the commit's pages that are in the file.
  private(set) var pagesInFile = 0
  private(set) var lastPage: UInt64 = 0
  private var usedPages = PageSet()
  private var freePages = PageSet()
  /// Whether only the roots of tables are checked.
  private(set) var isShallow = false

  init(_ source: PageSource, maximumFaultCount: Int) {
    self.source = source
    self.maximumFaultCount = max(1, maximumFaultCount)
  }

  var pageSize: Int { check.pageSizeInBytes }

  /// Records a fault, unless the maximum is reached.
  mutating func report(_ location: String, _ what: String) {
    guard check.faults.count < maximumFaultCount else {
      check.isCutShort = true
      return
    }
    check.faults.append(PageCheck.Fault(location: location, what: what))
  }

  /// Whether the maximum number of faults is reached.
  var isFull: Bool { check.faults.count >= maximumFaultCount }

  /// Checks the newest commit.
  mutating func inspectNewest() {
    if let newest = chooseNewest() { inspect(newest) }
  }

  /// Returns the meta page of the newest commit, or reports faults and returns `nil`.
  mutating func chooseNewest() -> MetaPage? {
    let metas = readMetas()
    check.isForeign = metas.allSatisfy { $0?.magic != PageLayout.magic }
    let sound = soundMetas(metas)
    // Of two equal ones LMDB chooses the first.
    let newest = sound.reduce(nil) { best, meta -> MetaPage? in
      (best?.transactionID).map { $0 >= meta.transactionID } == true ? best : meta
    }
    if sound.count == 2 { compare(sound[0], sound[1]) }
    return newest
  }

  /// The search result for the meta page of a commit in use by a reader.
  enum Choice {
    case found(MetaPage)
    /// The meta page was overwritten two commits later, or the pages are being written.
    case passed
    /// The meta pages are damaged, and the faults were reported.
    case damaged
  }

  /// Finds the meta page of a commit in use by a reader.
  mutating func choose(_ transactionID: Int) -> Choice {
    let metas = readMetas()
    guard readMetas() == metas else { return .passed }
    let sound = soundMetas(metas)
    guard let meta = sound.first(where: { Int(exactly: $0.transactionID) == transactionID }) else {
      return sound.count == 2 ? .passed : .damaged
    }
    if sound.count == 2 { compare(sound[0], sound[1]) }
    return .found(meta)
  }

  private mutating func soundMetas(_ metas: [MetaPage?]) -> [MetaPage] {
    metas.enumerated().filter { checkHeader($1, number: $0) }.compactMap(\.element)
  }

  /// Checks all pages of a commit.
  mutating func inspect(_ meta: MetaPage) {
    guard begin(meta) else { return }
    walk(meta.free, as: .free)
    walk(meta.main, as: .main)
    check.usedPageCount = usedPages.count
    check.freePageCount += freePages.count
    if let overlap = usedPages.overlap(with: freePages) {
      report("page \(overlap.first)", "it is in use, and in the list of free pages; so are \(overlap.count - 1) others")
    }
  }

  /// Checks the unnamed table and the roots of the other tables, but no pages below.
  ///
  /// If the file is shorter than the commit's page count, checks that the missing pages are free.
  mutating func inspectHead(_ meta: MetaPage) {
    guard begin(meta) else { return }
    isShallow = true
    walk(meta.main, as: .main)
    let missing = check.pageCount - pagesInFile
    guard missing > 0, !isFull else { return }
    // LMDB does not write pages that a transaction allocated and freed, so the file may end before them.
    walk(meta.free, as: .free)
    guard check.freePageCount < missing else { return }
    report("the file", "it ends before page \(pagesInFile), but should have \(check.pageCount) pages")
  }

  private mutating func begin(_ meta: MetaPage) -> Bool {
    check.transactionID = Int(exactly: meta.transactionID) ?? 0
    check.pageSizeInBytes = meta.pageSize
    lastPage = meta.lastPage
    return checkSizes(meta)
  }
}

extension PageInspector {
  /// Reads both meta pages.
  ///
  /// The second is one page size after the first, which stores that size.
  private func readMetas() -> [MetaPage?] {
    let first = source.bytes(at: 0, count: MetaPage.sizeInBytes).flatMap { MetaPage($0) }
    // If the first is damaged, read the second where it most likely is.
    let size = first.map(\.pageSize).flatMap { Self.isPageSize($0) ? $0 : nil } ?? PageLayout.pageSizes.lowerBound
    return [first, source.bytes(at: size, count: MetaPage.sizeInBytes).flatMap { MetaPage($0) }]
  }

  private static func isPageSize(_ size: Int) -> Bool {
    PageLayout.pageSizes.contains(size) && size.nonzeroBitCount == 1
  }

  /// Checks what LMDB requires of both meta pages before it opens a file.
  private mutating func checkHeader(_ meta: MetaPage?, number: Int) -> Bool {
    let location = "meta page \(number)"
    guard let meta else {
      report(location, "the file ends before it")
      return false
    }
    let flags = meta.free.flags & ~PageLayout.noSubdirectoryFlag
    let rules: [(Bool, String)] = [
      (meta.pageFlags == PageLayout.metaFlag, "it is not a meta page"),
      (meta.pageNumber == UInt64(number), "it has the number of another page"),
      (meta.magic == PageLayout.magic, "the file is not an LMDB file, or from a machine with another byte order"),
      (meta.version == PageLayout.version, "the file has version \(meta.version), not \(PageLayout.version)"),
      (Self.isPageSize(meta.pageSize), "it says that pages have \(meta.pageSize) bytes"),
      (flags == PageLayout.integerKeyFlag, "the environment has flags that are not supported"),
    ]
    let broken = rules.filter { !$0.0 }
    for rule in broken { report(location, rule.1) }
    return broken.isEmpty
  }

  private mutating func compare(_ first: MetaPage, _ second: MetaPage) {
    if first.pageSize != second.pageSize { report("the meta pages", "they disagree about the size of a page") }
    // Commits alternate, the even ones with the first page; a new file has commit 0 in both.
    let (older, newer) = (
      min(first.transactionID, second.transactionID), max(first.transactionID, second.transactionID)
    )
    let isSecondRight = second.transactionID % 2 == 1 || second.transactionID == 0
    if newer - older > 1 || first.transactionID % 2 == 1 || !isSecondRight || newer > UInt64(Int.max) {
      report("the meta pages", "they cannot have commits \(first.transactionID) and \(second.transactionID)")
    }
  }

  /// Checks the sizes in the chosen meta page; without them no page can be found.
  private mutating func checkSizes(_ meta: MetaPage) -> Bool {
    let location = "meta page \(meta.pageNumber)"
    let (end, isTooLarge) = meta.lastPage.addingReportingOverflow(1)
    let (size, overflow) = end.multipliedReportingOverflow(by: UInt64(pageSize))
    guard !isTooLarge, !overflow, end >= UInt64(PageLayout.metaPageCount), let pageCount = Int(exactly: end) else {
      report(location, "its last page cannot be \(meta.lastPage)")
      return false
    }
    // No system maps more, and LMDB would try to.
    if meta.mapSize < size || meta.mapSize > 1 << 56 { report(location, "its map size cannot be \(meta.mapSize)") }
    if meta.main.flags != 0 { report(location, "the unnamed table has flags that are not supported") }
    check.pageCount = pageCount
    pagesInFile = min(pageCount, source.sizeInBytes / pageSize)
    return true
  }
}

extension PageInspector {
  /// Marks a page as used by a tree; reports a fault and returns `nil` if it cannot be.
  mutating func claim(_ page: UInt64, for location: @autoclosure () -> String) -> Int? {
    guard let number = Int(exactly: page), number >= PageLayout.metaPageCount, page <= lastPage else {
      report(location(), "it refers to page \(page), which the file cannot have")
      return nil
    }
    guard number < pagesInFile else {
      report(location(), "it refers to page \(number), before which the file ends")
      return nil
    }
    guard usedPages.insert(number) else {
      report(location(), "it refers to page \(number), which is in use elsewhere")
      return nil
    }
    return number
  }

  /// Records a page of the list of free pages.
  ///
  /// Pages after the file's end need not be in the file.
  mutating func claimFree(_ page: UInt64, in location: @autoclosure () -> String) {
    guard let number = Int(exactly: page), number >= PageLayout.metaPageCount, page <= lastPage else {
      return report(location(), "it lists page \(page), which the file cannot have")
    }
    guard number < pagesInFile else {
      check.freePageCount += 1
      return
    }
    if !freePages.insert(number) { report(location(), "it lists page \(number), which is listed already") }
  }

  func bytes(ofPage page: Int) -> PageBytes? {
    let (offset, overflow) = page.multipliedReportingOverflow(by: pageSize)
    return overflow ? nil : source.bytes(at: offset, count: pageSize)
  }
}
