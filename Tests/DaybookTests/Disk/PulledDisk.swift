import DaybookTestSupport
import Foundation

/// A disk with a file system in an image file, which can be pulled out and put back while the system runs on.
///
/// Mounting one takes the superuser's rights, Linux, and a loop device that is free.
final class PulledDisk {
  private let directory: TemporaryDirectory
  private var isMounted = false

  private var image: String { directory.path("image") }
  private var mountPoint: String { directory.path("disk") }

  /// Whether a disk can be mounted and pulled here.
  static let isPermitted: Bool = {
    guard let disk = try? PulledDisk() else { return false }
    return (try? disk.pull()) != nil && (try? disk.putBack()) != nil
  }()
  /// What a test that is skipped says.
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
    // A disk that is still in use goes when the last file is closed.
    if isMounted { try? SmallDisk.run("umount", "-l", mountPoint) }
  }

  func path(_ name: String) -> String { "\(mountPoint)/\(name)" }

  /// Ends the file system at once: what was not flushed to the disk is lost, and every later call fails.
  func pull() throws {
    let descriptor = open(mountPoint, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Mismatch("the disk cannot be opened: \(errno)") }
    defer { close(descriptor) }
    // FS_IOC_SHUTDOWN, which flushes nothing, not even the file system's own log.
    var withoutFlushing: UInt32 = 2
    guard ioctl(descriptor, 0x8004_587D, &withoutFlushing) == 0 else { throw Mismatch("no shutdown: \(errno)") }
  }

  /// Mounts the disk again, with what reached it before it was pulled. No file of it may be open.
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
