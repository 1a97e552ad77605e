import Foundation

/// A directory for one test, removed when the object is released.
public final class TemporaryDirectory: Sendable {
  public let path: String

  /// Creates the directory.
  ///
  /// - Throws: The error of the file system.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    // A directory that a test has made unreadable remains; the system removes it.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a name in the directory.
  public func path(_ name: String) -> String { "\(path)/\(name)" }
}
