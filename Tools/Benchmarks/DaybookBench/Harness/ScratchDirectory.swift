import Foundation

/// A directory for all that a run writes, removed when the run ends.
struct ScratchDirectory {
  let url: URL

  /// Makes a directory with a new name in `parent`.
  init(in parent: URL) throws {
    url = parent.appending(path: "daybook-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// A new, empty directory.
  func makeDirectory() throws -> URL {
    let directory = url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    return directory
  }

  func empty() throws {
    for entry in try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil) {
      try FileManager.default.removeItem(at: entry)
    }
  }

  func remove() throws {
    try FileManager.default.removeItem(at: url)
  }
}
