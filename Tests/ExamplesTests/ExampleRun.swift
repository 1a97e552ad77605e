import DaybookTestSupport
import Foundation

/// The output and exit status of a run of a built application.
struct ExampleRun {
  let status: Int32
  let output: String
  let errors: String

  /// The lines of standard output.
  var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

  /// Runs an application to its end.
  ///
  /// Its output goes through files, so that no pipe can fill up.
  init(_ name: String, _ arguments: String...) throws {
    let directory = try TemporaryDirectory()
    for file in ["output", "errors"] { try Data().write(to: URL(filePath: directory.path(file))) }
    let process = Process()
    process.executableURL = ExampleRun.directory.appending(path: name)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: directory.path("output"))
    process.standardError = FileHandle(forWritingAtPath: directory.path("errors"))
    try process.run()
    process.waitUntilExit()
    status = process.terminationStatus
    output = try String(contentsOfFile: directory.path("output"), encoding: .utf8)
    errors = try String(contentsOfFile: directory.path("errors"), encoding: .utf8)
  }

  /// The directory of the built applications, beside the bundle of these tests.
  private static let directory: URL = {
    let bundles = Bundle.allBundles.map(\.bundleURL) + [URL(filePath: CommandLine.arguments[0])]
    let near = bundles.map { $0.resolvingSymlinksInPath().deletingLastPathComponent() }
    let all = near + near.map { $0.deletingLastPathComponent().deletingLastPathComponent() }
    let found = all.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "Recipes").path) }
    guard let found else { fatalError("The applications were not built beside the tests: \(all.map(\.path)).") }
    return found
  }()
}
