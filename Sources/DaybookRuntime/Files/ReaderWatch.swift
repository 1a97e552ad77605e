import DaybookModel
import Foundation
import LMDB

/// A read transaction, and when a check first saw it.
package struct ReaderSighting: Hashable, Sendable {
  package let reader: ReaderInfo
  /// The time of the first check that saw the transaction, which may be older.
  package let firstSeen: Timestamp
  /// The size of the store's files at that time.
  package let fileSizeInBytes: Int
}

/// Finds the read transactions that stay open for long, in all processes, and reports them to the logger.
///
/// While a transaction is open, the pages that later commits free are not used again, and the files grow. LMDB knows the
/// processes that read, but not since when: a transaction is as old as the first check that saw it. Opening a store
/// checks, and each writer does every ten seconds.
///
/// The sightings are in a file beside the journal's, because a process may end before a reader is old. The file is
/// replaced as a whole; without it, only the ages are lost.
package final class ReaderWatch: Sendable {
  private let directory: StoreDirectory
  private let options: StoreOptions
  /// The transactions that this process has reported; also excludes two checks at once.
  private let reported = Locked(Set<ReaderInfo>())

  init(_ directory: StoreDirectory, options: StoreOptions) {
    (self.directory, self.options) = (directory, options)
  }

  private var path: String { directory.journalPath + "/readers" }

  /// Compares the readers with the ones that former checks saw, and reports the old ones.
  ///
  /// - Parameter readers: The reader slots of the journal's environment, in which every reader has a transaction.
  func check(_ readers: [ReaderInfo]) {
    reported.withLock { reported in
      let live = readers.filter { $0.transactionID != nil }
      guard !live.isEmpty else {
        reported.removeAll()
        return replaceFile([])
      }
      let former = sightings
      let now = options.clock()
      let size = fileSizeInBytes
      let present = live.map { reader in
        former.first { $0.reader == reader }
          ?? ReaderSighting(reader: reader, firstSeen: now, fileSizeInBytes: size)
      }
      if present != former { replaceFile(present) }
      reported.formIntersection(live)
      for sighting in present where sighting.age(at: now) >= options.readerAgeLimit {
        guard reported.insert(sighting.reader).inserted else { continue }
        report(sighting, at: now, fileSizeInBytes: size)
      }
    }
  }

  private func report(_ sighting: ReaderSighting, at now: Timestamp, fileSizeInBytes size: Int) {
    options.logger?.warning(
      "an old reader makes the files grow with each commit until it ends",
      metadata: [
        "store": "\(directory.path)", "process": "\(sighting.reader.processID)",
        "seconds": "\(sighting.age(at: now).components.seconds)",
        "grownBytes": "\(max(0, size - sighting.fileSizeInBytes))",
      ])
  }

  /// Returns the sighting of a reader, or `nil` if no check saw it.
  package func sighting(of reader: ReaderInfo) -> ReaderSighting? {
    reported.withLock { _ in sightings.first { $0.reader == reader } }
  }

  /// The sightings in the file. A line that cannot be read is skipped.
  private var sightings: [ReaderSighting] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap(ReaderSighting.init)
  }

  private func replaceFile(_ sightings: [ReaderSighting]) {
    // The directory may be full or not writable. Only ages are lost, and a writer must not fail for them.
    guard !sightings.isEmpty else {
      unlink(path)
      return
    }
    try? sightings.map(\.line).joined().write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// The length of both data files, free pages included.
  private var fileSizeInBytes: Int {
    let sizes = directory.fileSizes
    return sizes.journal + sizes.projections
  }
}

extension ReaderSighting {
  /// How long the transaction has been open at least.
  package func age(at now: Timestamp) -> Duration {
    .microseconds(max(0, now.microseconds.subtractingReportingOverflow(firstSeen.microseconds).partialValue))
  }

  /// Process, thread, transaction, time in microseconds, bytes.
  fileprivate var line: String {
    "\(reader.processID) \(reader.threadID) \(reader.transactionID ?? 0) \(firstSeen.microseconds) \(fileSizeInBytes)\n"
  }

  fileprivate init?(line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 5, let process = Int(words[0]), let thread = UInt(words[1]), let transaction = Int(words[2]),
      let time = Int64(words[3]), let size = Int(words[4])
    else { return nil }
    self.init(
      reader: ReaderInfo(processID: process, threadID: thread, transactionID: transaction),
      firstSeen: Timestamp(microseconds: time), fileSizeInBytes: size)
  }
}
