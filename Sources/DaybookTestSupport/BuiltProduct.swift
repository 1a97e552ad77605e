import Foundation

/// Executables that are built with the tests.
package enum BuiltProduct {
  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  /// Returns an executable of the tests' build.
  ///
  /// It is searched beside the tests' bundles and their runner, and in the four directories around each: that is where SwiftPM
  /// and Xcode put it.
  package static func url(_ name: String) throws -> URL {
    let starts = Bundle.allBundles.map(\.bundleURL) + [URL(fileURLWithPath: CommandLine.arguments[0])]
    for start in starts {
      var directory = start.resolvingSymlinksInPath().deletingLastPathComponent()
      for _ in 0..<4 {
        let url = directory.appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: url.path), !url.isDirectory { return url }
        directory.deleteLastPathComponent()
      }
    }
    throw Missing(description: "\(name) was not built: run `swift build --build-tests` first.")
  }
}

private extension URL {
  var isDirectory: Bool { (try? resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true }
}
