#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a check of a data file's pages found.
///
///     let check = try PageCheck.check(fileAt: directory + "/data.mdb")
///     guard check.isSound else { throw Damaged(check.faults) }
///     let environment = try Environment.open(at: directory)
///
/// LMDB has no checksums, follows what it finds in the file, and takes the process down with it when that is wrong: an
/// assertion, or a signal for a page beyond the end. So a file that may be damaged is first checked here, with ordinary
/// reads, never through the map. No bytes can make the check fail otherwise than by reporting a fault.
///
/// It checks structure: the meta pages, and from the newest one every page of every tree, the values' overflow pages,
/// the order of the keys, the counts, and the list of free pages. It cannot tell whether the values are what was
/// written; they need hashes of their own.
package struct PageCheck: Hashable, Sendable {
  /// Something that is not as LMDB would have written it.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// Where, such as `page 12 of table objects`.
    package let location: String
    /// What is wrong.
    package let what: String

    package var description: String { "\(location): \(what)" }
  }

  /// What is wrong, in the order found.
  package var faults: [Fault] = []
  /// Whether the check stopped early, because it had found as many faults as it was to report.
  package var isCutShort = false
  package var pageSizeInBytes = 0
  /// The commit that was checked.
  package var transactionID = 0
  /// The pages of the file that the commit counts, the two meta pages included.
  package var pageCount = 0
  /// The pages of all trees.
  package var usedPageCount = 0
  /// The pages in the list of free pages.
  package var freePageCount = 0
  /// The number of entries of each table, as its record has it.
  package var entryCounts: [String: Int] = [:]

  /// Whether neither meta page is one of LMDB, so that the file most likely never was a data file.
  package var isForeign = false

  /// Whether nothing is wrong.
  package var isSound: Bool { faults.isEmpty }

  /// The pages that are neither used nor free. They are harmless, but a compacting copy refuses a file that has some.
  package var leakedPageCount: Int { max(0, pageCount - 2 - usedPageCount - freePageCount) }
}

extension PageCheck {
  /// The number of faults after which a check stops, unless told otherwise.
  package static let defaultMaximumFaultCount = 1000

  /// Checks a data file that no environment of this process has open.
  ///
  /// Nobody must write to it meanwhile; beside a writer use ``Environment/checkPages(maximumFaultCount:)``.
  ///
  /// - Throws: `LMDBError` if the file cannot be opened; what cannot be read later is a fault.
  /// - Complexity: O(*n* log *k*) for *n* pages of *k* entries. One bit for each page is kept twice.
  package static func check(
    fileAt path: String, maximumFaultCount: Int = defaultMaximumFaultCount
  ) throws(LMDBError) -> PageCheck {
    let file = try RawFile(at: path)
    return check(file, maximumFaultCount: maximumFaultCount)
  }

  /// Checks a data file.
  package static func check(
    _ file: borrowing RawFile, maximumFaultCount: Int = defaultMaximumFaultCount
  ) -> PageCheck {
    PageSource.withSource(file) { source in
      var inspector = PageInspector(source, maximumFaultCount: maximumFaultCount)
      inspector.inspectNewest()
      return inspector.check
    }
  }
}

extension PageCheck {
  /// Checks as much of a data file as must be right for it to be opened: the meta pages, the unnamed table, the roots of
  /// the tables, and that no page in use lies beyond the file's end.
  ///
  /// Somebody may write to the file meanwhile: what looks wrong is looked at again, in case it was just being written.
  ///
  /// - Throws: `LMDBError` if the file cannot be opened, `alreadyOpen` if this process has it open.
  /// - Complexity: O(1), but for a file that ends before the last page that its commit counts: then the list of free
  ///   pages is read.
  package static func checkHead(fileAt path: String) throws(LMDBError) -> PageCheck {
    var check = PageCheck()
    for attempt in 0..<5 {
      if attempt > 0 { usleep(2_000) }
      let file = try RawFile(at: path)
      check = PageSource.withSource(file) { source in
        var inspector = PageInspector(source, maximumFaultCount: 20)
        if let newest = inspector.chooseNewest() { inspector.inspectHead(newest) }
        return inspector.check
      }
      if check.isSound { break }
    }
    return check
  }
}

extension Environment {
  /// Checks the pages of the last commit, beside readers and writers.
  ///
  /// It holds a read transaction throughout, so that its pages stay as they are, and the file may grow meanwhile.
  ///
  /// - Throws: `LMDBError` if no transaction can be begun, `busy` if others commit so fast that the meta pages are
  ///   never seen at rest.
  package func checkPages(
    maximumFaultCount: Int = PageCheck.defaultMaximumFaultCount
  ) throws -> PageCheck {
    try withPinnedRead(maximumFaultCount: maximumFaultCount) { $0.checkPages() }
  }

  /// Reads the last commit in such a way that its pages can be checked before anything of it is read.
  ///
  ///     try environment.withPinnedRead { read in
  ///       guard read.checkPages().isSound else { return }
  ///       use(read.snapshot)
  ///     }
  ///
  /// While the transaction lives, nobody overwrites the commit's pages, so that what was checked with ordinary reads is
  /// what the map shows. Only the commit's meta page does not last; it is read before `body` runs.
  ///
  /// - Throws: As ``checkPages(maximumFaultCount:)``, and what `body` throws.
  package func withPinnedRead<Result>(
    maximumFaultCount: Int = PageCheck.defaultMaximumFaultCount, _ body: (PinnedRead) throws -> Result
  ) throws -> Result {
    for _ in 0..<1000 {
      let transaction = try beginRead()
      var inspector = PageInspector(try PageSource(self), maximumFaultCount: maximumFaultCount)
      var meta: MetaPage?
      switch inspector.choose(transaction.snapshot.transactionID) {
      case .found(let found): meta = found
      case .damaged: break
      case .passed: continue
      }
      let result = try body(PinnedRead(snapshot: transaction.snapshot, inspector: inspector, meta: meta))
      transaction.end()
      return result
    }
    throw refusal(.busy, .readFile)
  }
}

/// A snapshot with what is needed to check its pages; see ``Environment/withPinnedRead(maximumFaultCount:_:)``.
package struct PinnedRead {
  /// Nothing may be read through it before the pages were found sound.
  package let snapshot: Snapshot
  fileprivate let inspector: PageInspector
  fileprivate let meta: MetaPage?

  /// Checks all pages of the snapshot with ordinary reads.
  ///
  /// - Complexity: O(*n* log *k*) for *n* pages of *k* entries.
  package func checkPages() -> PageCheck {
    var inspector = inspector
    if let meta { inspector.inspect(meta) }
    return inspector.check
  }
}
