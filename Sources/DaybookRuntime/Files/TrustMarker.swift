import DaybookEngine
import DaybookModel
import LMDB

/// The projections file that is trusted, and the run of its volume in which it is.
///
/// The projections are never flushed for durability, so after an operating-system crash, or after their volume was
/// removed, their file may be torn, and a copied directory may contain half of a transaction. The marker is in the
/// journal, which is flushed: it is written before the first change to the projections in a run, and marked as clean
/// only after they were flushed and closed. A journal without a marker trusts no projections.
struct TrustMarker: Hashable {
  var run: VolumeRun
  var file: FileIdentity
  /// Whether the projections were flushed after their last change.
  ///
  /// Then they are trusted in other runs too.
  var isClean: Bool
  /// The version of the tables' rows: see ``BuiltInTablesState/version``.
  var version = BuiltInTablesState.version

  /// The key of the marker's row beside the commits.
  static let key = Array("trusted projections".utf8)

  init(run: VolumeRun, file: FileIdentity, isClean: Bool) {
    self.run = run
    self.file = file
    self.isClean = isClean
  }

  /// Reads the marker of a journal, or returns `nil` if it is missing or damaged: then the projections are rebuilt.
  static func present(in journal: LMDBJournal) -> TrustMarker? {
    guard let bytes = try? journal.meta(key) else { return nil }
    return TrustMarker(bytes)
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes.rawSpan)
    // A marker that cannot be read trusts no projections, so they are rebuilt.
    guard let flag = try? reader.byte(), let device = try? reader.fixed(UInt64.self),
      let inode = try? reader.fixed(UInt64.self), let boot = try? reader.text()
    else { return nil }
    // Markers of earlier versions name no mount, so they match no present mount.
    let mount = (try? reader.fixed(UInt64.self)) ?? .max
    self.init(
      run: VolumeRun(boot: boot, mount: mount), file: FileIdentity(device: device, inode: inode), isClean: flag == 1)
    // Nor do they name a version of the rows, which was the first one.
    version = (try? reader.varint()) ?? 1
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = [isClean ? 1 : 0]
    bytes.appendFixed(file.device)
    bytes.appendFixed(file.inode)
    bytes.appendText(run.boot)
    bytes.appendFixed(run.mount)
    bytes.appendVarint(version)
    return bytes
  }

  /// Whether projections in this file may be used in this run.
  func trusts(_ file: FileIdentity, in run: VolumeRun) -> Bool {
    version == BuiltInTablesState.version && self.file == file && (isClean || run.keepsPages(of: self.run))
  }
}

/// A period in which the system keeps the unflushed pages of a file.
///
/// It is one run of the operating system, in which the file's volume stays mounted.
struct VolumeRun: Hashable {
  /// The run of the operating system; empty if unknown.
  var boot: String
  /// The mount; 0 if unknown.
  var mount: UInt64

  init(boot: String, mount: UInt64) {
    self.boot = boot
    self.mount = mount
  }

  /// Makes the present run for the file at a path.
  init(ofFileAt path: String, _ options: StoreOptions) {
    self.init(
      boot: options.bootIdentifier ?? LMDB.bootIdentifier(),
      mount: options.mountIdentifier ?? LMDB.mountIdentifier(ofFileAt: path))
  }

  /// Whether pages that were written in another run, and perhaps never flushed, are intact.
  ///
  /// If the run of the operating system is unknown, the result is `false`.
  func keepsPages(of other: VolumeRun) -> Bool { !boot.isEmpty && self == other }
}
