import DaybookTestSupport
import Foundation

/// A disk with a file system in an image file, which can be removed and mounted again.
///
/// Mounting one requires superuser rights, Linux, and a free loop device.
final class PulledDisk {
  private let directory: TemporaryDirectory
  private var isMounted = false

  private var image: String { directory.path("image") }
  private var mountPoint: String { directory.path("disk") }

  /// Whether a disk can be mounted and removed here.
  static let isPermitted: Bool = {
    guard let disk = try? PulledDisk() else { return false }
    return (try? disk.pull()) != nil && (try? disk.putBack()) != nil
  }()
  /// The reason for skipping a test.
  static let reason = "mounting a file system of a loop device is not permitted here"

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: mountPoint, withIntermediateDirectories: false)
    guard FileManager.default.createFile(atPath: image, contents: nil), truncate(image, 64 << 20) == 0 else {
      throw Mismatch("the image has no room")
    }
    try SmallDisk.run("mkfs.ext4", "-q", "-F", image)
    try mount()
  }

  deinit {
    // A disk that is still in use is removed when the last file is closed.
    if isMounted { try? SmallDisk.run("umount", "-l", mountPoint) }
  }

  func path(_ name: String) -> String { "\(mountPoint)/\(name)" }

  /// Shuts the file system down at once: unflushed data is lost, and every later call fails.
  func pull() throws {
    let descriptor = open(mountPoint, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Mismatch("the disk cannot be opened: \(errno)") }
    defer { close(descriptor) }
    // FS_IOC_SHUTDOWN without any flush, not even of the file system's own log.
    var withoutFlushing: UInt32 = 2
    guard ioctl(descriptor, 0x8004_587D, &withoutFlushing) == 0 else { throw Mismatch("no shutdown: \(errno)") }
  }

  /// Mounts the disk again, with the data flushed before the shutdown.
  ///
  /// No file of it may be open.
  func putBack() throws {
    try SmallDisk.run("umount", mountPoint)
    isMounted = false
    try mount()
  }

  private func mount() throws {
    try SmallDisk.run("mount", "-t", "ext4", "-o", "loop", image, mountPoint)
    isMounted = true
  }
}
