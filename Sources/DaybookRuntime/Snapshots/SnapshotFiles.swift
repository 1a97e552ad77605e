import DaybookEngine
import DaybookModel
import Foundation
import LMDB

import struct Crypto.SHA256

/// The files of a store's snapshots.
///
/// Each snapshot has a directory named after its position, with a data file and a marker. In it there may be directories
/// with the rows of projections at that position, which have the same two files.
struct SnapshotFiles {
  /// The beginning of the name of a directory with the rows of a projection.
  private static let rowsPrefix = "projection-"

  /// The directory of all snapshots, which may not exist.
  let path: String

  init(of directory: StoreDirectory) {
    path = directory.path + "/snapshots"
  }

  /// Returns the directory of a snapshot, or of the rows of a projection beside it.
  func directory(_ position: Position, of projection: String? = nil) -> String {
    "\(path)/\(position)" + (projection.map { "/\(SnapshotFiles.rowsPrefix)\($0)" } ?? "")
  }
  func dataFile(_ position: Position, of projection: String? = nil) -> String {
    "\(directory(position, of: projection))/data.mdb"
  }
  static func markerFile(in directory: String) -> String { "\(directory)/marker" }

  /// Returns the positions of all snapshots in ascending order, whether or not they are valid.
  func positions() -> [Position] {
    // In the common case the directory does not exist; and snapshots that cannot be listed cannot be used.
    guard let names = try? directoryEntries(path) else { return [] }
    return names.compactMap { name in
      UInt64(name).flatMap { $0 > 0 && String($0) == name ? Position($0) : nil }
    }.sorted()
  }

  /// Returns the names of the projections whose rows are beside a snapshot, whether or not they are valid.
  func projections(at position: Position) -> [String] {
    // Another process may have removed the snapshot.
    guard let names = try? directoryEntries(directory(position)) else { return [] }
    return names.compactMap {
      $0.hasPrefix(SnapshotFiles.rowsPrefix) ? String($0.dropFirst(SnapshotFiles.rowsPrefix.count)) : nil
    }
  }

  /// Returns whether there is a snapshot, or rows of a projection beside it, whether or not they are valid.
  func exists(_ position: Position, of projection: String?) -> Bool {
    projection.map(projections(at: position).contains) ?? positions().contains(position)
  }

  /// Returns the marker at a position, or `nil` if it cannot be read or is of another store.
  func marker(_ position: Position, of projection: String? = nil, storeID: ObjectID) -> SnapshotMarker? {
    marker(position, of: projection).flatMap { $0.storeID == storeID ? $0 : nil }
  }

  private func marker(_ position: Position, of projection: String?) -> SnapshotMarker? {
    // Any fault of the file means that there is no snapshot.
    guard let file = try? RawFile(at: SnapshotFiles.markerFile(in: directory(position, of: projection))),
      file.sizeInBytes < 4_096,
      let bytes = try? file.read(at: 0, count: file.sizeInBytes), let marker = SnapshotMarker(bytes),
      marker.position == position, (marker.rows == nil) == (projection == nil)
    else { return nil }
    return marker
  }

  /// Returns the snapshots, and the rows of projections beside them, whose files are not as they were written.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  func damaged() -> [(position: Position, projection: String?)] {
    positions().flatMap { position -> [(position: Position, projection: String?)] in
      ([nil] + projections(at: position)).filter { projection in
        if let marker = marker(position, of: projection), isWhole(marker, of: projection) { return false }
        // Another process may have removed the snapshot meanwhile.
        return exists(position, of: projection)
      }.map { (position, $0) }
    }
  }

  /// Returns whether the data file of a marker is as it was written.
  ///
  /// - Complexity: O(*n*) for *n* bytes, about half a second per gigabyte.
  func isWhole(_ marker: SnapshotMarker, of projection: String?) -> Bool {
    guard let file = try? RawFile(at: dataFile(marker.position, of: projection)),
      file.sizeInBytes == marker.sizeInBytes, let digest = try? Digest(of: file)
    else { return false }
    return digest == marker.digest
  }

  /// Returns whether the journal's commit at a marker's position is the marker's commit.
  static func belongs(_ marker: SnapshotMarker, to journal: LMDBJournal) throws -> Bool {
    guard try marker.position <= journal.head() else { return false }
    return try journal.header(at: marker.position).hash == marker.hash
  }

  /// Removes a snapshot, or the rows of a projection beside it. A process that has opened it can continue to read it.
  func remove(_ position: Position, of projection: String? = nil) {
    // The directory is first renamed to a name that is not a position, so that a partly removed snapshot is never taken
    // for a whole one. A snapshot that cannot be removed is not trusted the next time either.
    let doomed = "\(path)/.\(position).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    guard (try? renameWithoutReplacing(directory(position, of: projection), to: doomed)) != nil else { return }
    try? removeTree(doomed)
  }

  /// Runs `body` while no other process makes or removes snapshots; not at all if one does.
  ///
  /// Unfinished work of a killed process is removed first.
  ///
  /// - Returns: Whether `body` ran.
  func withLock(_ body: () throws -> Void) throws -> Bool {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw StoreError(systemError: errno, "create", path) }
    let lock = try DirectoryLock(path, .createDirectory)
    guard lock.tryLock(.exclusive, orWithoutLocks: false) else { return false }
    defer { withExtendedLifetime(lock) {} }
    for name in try directoryEntries(path) where name.hasPrefix(".") {
      // Another process may be removing it too; and a directory that remains only takes space.
      try? removeTree("\(path)/\(name)")
    }
    try body()
    return true
  }
}
