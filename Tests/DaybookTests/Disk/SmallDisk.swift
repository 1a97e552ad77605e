import DaybookTestSupport
import Foundation

/// A file system of a few MiB, in memory, that can be filled up.
///
/// Mounting one takes the superuser's rights, and Linux.
final class SmallDisk: Sendable {
  private let directory: TemporaryDirectory
  private let sizeInBytes: Int

  var path: String { directory.path("disk") }

  /// Whether a disk can be mounted here.
  static let isPermitted: Bool = (try? SmallDisk(sizeInBytes: 1 << 20)) != nil
  /// What a test that is skipped says.
  static let reason = "mounting a small file system is not permitted here"

  init(sizeInBytes: Int) throws {
    directory = try TemporaryDirectory()
    self.sizeInBytes = sizeInBytes
    try FileManager.default.createDirectory(atPath: directory.path("disk"), withIntermediateDirectories: false)
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(sizeInBytes)", "daybook", path)
  }

  deinit {
    // A disk that is still in use goes when the last file is closed.
    try? Self.run("umount", "-l", path)
  }

  func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Fills the disk, but for some bytes.
  ///
  /// Called again, it fills what has become free, or makes room.
  func fill(leaving room: Int = 0) throws {
    makeRoom()
    FileManager.default.createFile(atPath: path("ballast"), contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path("ballast")))
    defer { try? file.close() }  // It was written to already.
    var size = 64 << 10
    while size >= 512 {
      do { try file.write(contentsOf: Data(count: size)) } catch { size /= 2 }
    }
    let end = try file.offset()
    try file.truncate(atOffset: end - min(end, UInt64(room)))
  }

  /// Takes away what filled the disk.
  func makeRoom() {
    // A process that another test has just begun may hold the file open for a moment: emptied, it takes no room.
    _ = truncate(path("ballast"), 0)
    // It need not be there.
    try? FileManager.default.removeItem(atPath: path("ballast"))
  }

  /// Lets nobody write to the disk any more, not even the superuser.
  func makeReadOnly() throws {
    try Self.run("mount", "-o", "remount,ro", path)
  }

  /// What is on the disk, beside what fills it.
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
