import ArgumentParser
import Daybook
import DaybookCollation
import DaybookJetStream
import Foundation

/// Runs the command line, and ends the process with the resulting status.
enum CommandRunner {
  static func run(_ arguments: [String]) async -> Never {
    // A write to a closed pipe fails with an error instead, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    ICUCollation.register()
    JetStream.register()
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

  /// Prints an error after all earlier output.
  private static func report(_ error: any Error, to console: Console) -> Int32 {
    let failure = CommandFailure(error)
    do {
      try console.flush()
    } catch {
      // Only the command's own failure counts: a closed pipe is no failure, and a full disk was reported.
      if failure == nil { return CommandFailure(error)?.status ?? 0 }
    }
    guard let failure else { DaybookCommand.exit(withError: error) }
    for line in failure.lines { console.printError(line) }
    return failure.status
  }
}
