import ArgumentParser
import Daybook
import Foundation

/// Runs what the command line says, and ends the process with the status that follows.
enum CommandRunner {
  static func run(_ arguments: [String]) async -> Never {
    // A reader that goes away is noticed where the bytes are written, and ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    let console = Console.standard
    do {
      try await perform(arguments)
      try console.flush()
      exit(0)
    } catch {
      exit(report(error, to: console))
    }
  }

  private static func perform(_ arguments: [String]) async throws {
    var command = try DaybookCommand.parseAsRoot(arguments)
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
  }

  /// Prints what went wrong, behind all that was printed before it.
  private static func report(_ error: any Error, to console: Console) -> Int32 {
    let failure = CommandFailure(error)
    do {
      try console.flush()
    } catch {
      // Only what the command itself said counts: a pipe that is closed is no failure, and a full disk was reported.
      if failure == nil { return CommandFailure(error)?.status ?? 0 }
    }
    guard let failure else { DaybookCommand.exit(withError: error) }
    for line in failure.lines { console.printError(line) }
    return failure.status
  }
}
