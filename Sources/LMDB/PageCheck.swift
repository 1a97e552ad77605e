#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The result of a check of a data file's pages.
///
///     let check = try PageCheck.check(fileAt: directory + "/data.mdb")
///     guard check.isSound else { throw Damaged(check.faults) }
///     let environment = try Environment.open(at: directory)
///
/// LMDB has no checksums, trusts the file's contents, and ends the process if they are wrong: with an assertion, or
/// with a signal for a page beyond the end. So a file that may be damaged is checked here first, with ordinary reads,
/// never through the map. Whatever bytes the file contains, the check only reports faults.
///
/// The check covers the structure: the meta pages, and from the newest one every page of every tree, the values'
/// overflow pages, the order of the keys, the counts, and the list of free pages. It cannot detect changed values; they
/// need hashes of their own.
package struct PageCheck: Hashable, Sendable {
  /// A deviation from what LMDB would have written.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// The place of the fault, such as `page 12 of table objects`.
    package let location: String
    /// A description of the fault.
    package let what: String

    package var description: String { "\(location): \(what)" }
  }

  /// The faults, in the order found.
  package var faults: [Fault] = []
  /// Whether the check stopped early, because it reached the maximum number of faults.
  package var isCutShort = false
  package var pageSizeInBytes = 0
  /// The number of the commit checked.
  package var transactionID = 0
  /// The number of pages that the commit counts, including the two meta pages.
  package var pageCount = 0
  /// The number of pages in all trees.
  package var usedPageCount = 0
  /// The number of pages in the list of free pages.
  package var freePageCount = 0
  /// The number of entries of each table, according to its record.
  package var entryCounts: [String: Int] = [:]

  /// Whether neither meta page is one of LMDB's; then the file was probably never a data file.
  package var isForeign = false

  /// Whether the check found no faults.
  package var isSound: Bool { faults.isEmpty }

  /// The number of pages that are neither used nor free.
  ///
  /// Such pages are harmless, but a compacting copy refuses a file that has them.
  package var leakedPageCount: Int { max(0, pageCount - 2 - usedPageCount - freePageCount) }
}

extension PageCheck {
  /// The default number of faults after which a check stops.
  package static let defaultMaximumFaultCount = 1000

  /// Checks a data file that no environment of this process has open.
  ///
  /// No process may write to the file during the check; with a writer, use
  /// ``Environment/checkPages(maximumFaultCount:)``.
  ///
  /// - Throws: `LMDBError` if the file cannot be opened; a later failure to read is a fault.
  /// - Complexity: O(*n* log *k*) for *n* pages of *k* entries. The check keeps two bits per page in memory.
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
  /// Checks the parts of a data file that must be sound before it is opened.
  ///
  /// These are the meta pages, the unnamed table and the roots of the tables; and no page in use may be beyond the
  /// file's end.
  ///
  /// Another process may write to the file during the check: apparent faults are checked again, because they may come
  /// from a write in progress.
  ///
  /// - Throws: `LMDBError` if the file cannot be opened, `alreadyOpen` if this process has it open.
  /// - Complexity: O(1), except for a file that ends before the last page that its commit counts: then the check reads
  ///   the list of free pages.
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
