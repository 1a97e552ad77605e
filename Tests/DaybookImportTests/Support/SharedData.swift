#if Import

import Foundation

/// The files that are shared by all work on the project, and are not in the repository.
///
/// They are in `../shared/data` beside the package, or where `DAYBOOK_SHARED` leads. Tests that need them are skipped
/// without them.
enum SharedData {
  /// Returns the path of one of the folders, or `nil` without it.
  static func folder(_ name: String) -> String? {
    var package = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { package.deleteLastPathComponent() }
    let places: [String?] = [
      ProcessInfo.processInfo.environment["DAYBOOK_SHARED"],
      package.deletingLastPathComponent().appendingPathComponent("shared").path,
    ]
    return places.compactMap { place in place.map { "\($0)/data/\(name)" } }.first {
      FileManager.default.fileExists(atPath: $0)
    }
  }

  static func names(_ folder: String) -> [String] {
    // A folder that is not there has no files.
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
}

#endif
