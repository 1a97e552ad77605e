import LMDB

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
