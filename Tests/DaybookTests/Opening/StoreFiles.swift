import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook

/// Removes the projections of a store that is closed.
func removeProjections(of path: String) throws {
  try FileManager.default.removeItem(atPath: path + "/projections")
}

/// Overwrites a part of a file with random bytes.
func damage(_ path: String, _ random: inout SeededRandom) throws {
  let handle = try #require(FileHandle(forUpdatingAtPath: path))
  let size = try handle.seekToEnd()
  for _ in 0..<50 {
    try handle.seek(toOffset: UInt64(random.number(0...Int(size - 64))))
    try handle.write(contentsOf: Data((0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }))
  }
  try handle.close()
}

/// Leaves a closed store as a system's crash in this boot does: its projections were changed and not flushed.
func markUnclean(_ path: String, boot: String) throws {
  let directory = StoreDirectory(path)
  let environment = try directory.openJournal(StoreOptions())
  defer { environment.close() }
  let tables = try directory.openJournalTables(in: environment)
  let file = try #require(try FileIdentity(ofFileAt: directory.projectionsFile))
  var transaction = try environment.beginWrite()
  try transaction.put(
    JournalMeta.trusted, TrustMarker(boot: boot, file: file, isClean: false).bytes, in: tables.meta)
  try transaction.commit()
}
