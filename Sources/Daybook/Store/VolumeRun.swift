import LMDB

/// The time for which the system keeps the unflushed pages of a file: one run of the operating system, in which the
/// file's volume stays mounted.
struct VolumeRun: Hashable {
  /// The run of the operating system; empty if the system does not tell.
  var boot: String
  /// The mount, or 0 if the system does not tell.
  var mount: UInt64

  init(boot: String, mount: UInt64) {
    self.boot = boot
    self.mount = mount
  }

  /// The present run for the file at a path.
  init(ofFileAt path: String, _ options: StoreOptions) {
    self.init(
      boot: options.bootIdentifier ?? LMDB.bootIdentifier(),
      mount: options.mountIdentifier ?? LMDB.mountIdentifier(ofFileAt: path))
  }

  /// Whether pages that were written in another run, and perhaps never flushed, are as they were written.
  ///
  /// An unknown run of the operating system keeps nothing.
  func keepsPages(of other: VolumeRun) -> Bool { !boot.isEmpty && self == other }
}
