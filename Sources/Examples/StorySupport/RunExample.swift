import DaybookTestSupport
import Foundation

/// Runs an application's session in the directory on the command line, or in a temporary one.
///
///     runExample { directory in
///       let store = try Store.create(at: "\(directory)/todo.daybook", model: todo)
///       ...
///     }
///
/// The stores remain in a directory named on the command line, for inspection with the `daybook` command; a temporary
/// directory is removed. An error ends the process with status 1.
public func runExample(_ session: (_ directory: String) throws -> Void) {
  do {
    let place = try ExamplePlace()
    try session(place.path)
  } catch {
    fail(error)
  }
}

/// Runs an asynchronous session of an application; see ``runExample(_:)``.
@MainActor public func runExample(_ session: @MainActor (_ directory: String) async throws -> Void) async {
  do {
    let place = try ExamplePlace()
    try await session(place.path)
  } catch {
    fail(error)
  }
}

/// Prints a line of the story.
public func tell(_ line: String) { print("\n-- \(line)") }

/// The directory of a session's stores.
private struct ExamplePlace {
  let path: String
  /// Removed after the session, or `nil` for a directory named on the command line.
  private let temporary: TemporaryDirectory?

  init() throws {
    if CommandLine.arguments.count > 1 {
      (path, temporary) = (CommandLine.arguments[1], nil)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } else {
      let directory = try TemporaryDirectory()
      (path, temporary) = (directory.path, directory)
    }
  }
}

private func fail(_ error: any Error) -> Never {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
