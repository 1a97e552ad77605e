import Foundation

/// A directory for one test, removed when the value goes.
public final class TemporaryDirectory: Sendable {
  public let path: String

  /// Creates the directory.
  ///
  /// - Throws: What the file system says.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("daybook-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    // A directory that a test has made unreadable stays behind; the system clears it.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of something in the directory.
  public func path(_ name: String) -> String { "\(path)/\(name)" }
}
