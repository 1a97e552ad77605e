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
      inspector.inspect(choosing: nil)
      return inspector.check
    }
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
  ) throws(LMDBError) -> PageCheck {
    for _ in 0..<1000 {
      let transaction = try beginRead()
      let source = try PageSource(self)
      var inspector = PageInspector(source, maximumFaultCount: maximumFaultCount)
      // Two commits later its meta page is gone. Then begin again, with a newer one.
      if inspector.inspect(choosing: transaction.snapshot.transactionID) { return inspector.check }
      transaction.end()
    }
    throw refusal(.busy, .readFile)
  }
}
