import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

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

/// Leaves a closed store in the state after a system crash, with unflushed changes.
///
/// - Parameter mount: The mount in which the projections were changed, or `nil` for the current one.
func markUnclean(_ path: String, boot: String, mount: UInt64? = nil) throws {
  try changeTrustMarker(of: path) { marker in
    marker.isClean = false
    marker.run.boot = boot
    if let mount { marker.run.mount = mount }
    return marker.bytes
  }
}

/// Changes the journal's trust marker of a closed store.
///
/// - Parameter change: Returns the row's bytes for a clean marker of the current file and mount.
func changeTrustMarker(of path: String, _ change: (inout TrustMarker) -> [UInt8]) throws {
  let directory = StoreDirectory(path)
  let environment = try directory.openJournal(StoreOptions())
  defer { environment.close() }
  let tables = try directory.openJournalTables(in: environment)
  let file = try #require(try FileIdentity(ofFileAt: directory.projectionsFile))
  var marker = TrustMarker(
    run: VolumeRun(ofFileAt: directory.projectionsFile, StoreOptions()), file: file, isClean: true)
  var transaction = try environment.beginWrite()
  try transaction.putMeta(TrustMarker.key, change(&marker), in: tables)
  try transaction.commit()
}

/// Returns the journal's trust marker of a closed store.
func trustMarker(of path: String) throws -> TrustMarker? {
  let directory = StoreDirectory(path)
  let environment = try directory.openJournal(StoreOptions())
  defer { environment.close() }
  let tables = try directory.openJournalTables(in: environment)
  return try environment.withSnapshot { TrustMarker.present(in: LMDBJournal(snapshot: $0, tables: tables)) }
}
