import DaybookTestSupport
import Foundation

/// A file system of a few MiB, in memory, that a test can fill.
///
/// Mounting one requires superuser rights, and Linux.
final class SmallDisk: Sendable {
  private let directory: TemporaryDirectory
  private let sizeInBytes: Int

  var path: String { directory.path("disk") }

  /// Whether a disk can be mounted here.
  static let isPermitted: Bool = (try? SmallDisk(sizeInBytes: 1 << 20)) != nil
  /// The reason for skipping a test.
  static let reason = "mounting a small file system is not permitted here"

  init(sizeInBytes: Int) throws {
    directory = try TemporaryDirectory()
    self.sizeInBytes = sizeInBytes
    try FileManager.default.createDirectory(atPath: directory.path("disk"), withIntermediateDirectories: false)
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(sizeInBytes)", "daybook", path)
  }

  deinit {
    // A disk that is still in use is removed when the last file is closed.
    try? Self.run("umount", "-l", path)
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Fills the disk, except some bytes.
  ///
  /// Further calls fill newly freed space, or free the space.
  func fill(leaving room: Int = 0) throws {
    makeRoom()
    _ = FileManager.default.createFile(atPath: path("ballast"), contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path("ballast")))
    defer { try? file.close() }  // It was written before.
    var size = 64 << 10
    while size >= 512 {
      do { try file.write(contentsOf: Data(count: size)) } catch { size /= 2 }
    }
    let end = try file.offset()
    try file.truncate(atOffset: end - min(end, UInt64(room)))
  }

  /// Removes the data that filled the disk.
  func makeRoom() {
    // A process that another test has just started may keep the file open: truncated, it uses no space.
    _ = truncate(path("ballast"), 0)
    // The file may be missing.
    try? FileManager.default.removeItem(atPath: path("ballast"))
  }

  /// Makes the disk read-only, even for the superuser.
  func makeReadOnly() throws {
    try Self.run("mount", "-o", "remount,ro", path)
  }

  /// The names on the disk, except the file that fills it.
  var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "ballast" } }
  }

  /// Runs a program of the system, and throws if it fails.
  static func run(_ command: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [command] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Mismatch("\(command) failed: \(process.terminationStatus)") }
  }
}
