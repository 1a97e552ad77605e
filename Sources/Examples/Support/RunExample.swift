import DaybookTestSupport
import Foundation

/// Runs an application's session in the directory that the command line names; without one, in a temporary directory
/// that is gone afterwards.
///
///     runExample { directory in
///       let store = try Store.create(at: "\(directory)/todo.daybook", model: todo)
///       ...
///     }
///
/// The stores stay in a directory that was named, to be looked at with the `daybook` command. An error ends the process
/// with status 1.
public func runExample(_ session: (_ directory: String) throws -> Void) {
  do {
    let place = try ExamplePlace()
    try session(place.path)
  } catch {
    fail(error)
  }
}

/// Runs an application's session that waits for what it follows; see ``runExample(_:)``.
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

/// Where the stores of a session are.
private struct ExamplePlace {
  let path: String
  /// Removed when the session is over; nil in a directory that was named.
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
