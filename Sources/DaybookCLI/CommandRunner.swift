#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

/// Runs the command line, and ends the process with the resulting status.
enum CommandRunner {
  static func run(_ arguments: [String]) async -> Never {
    // A write to a closed pipe fails with an error instead, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    EngineDamage.endProcess(withStatus: ExitStatus.refused)
    let console = Console.standard
    do {
      if let problem = ForeignBytes.problem() { throw ValidationError(problem) }
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
  ///
  /// - Returns: The exit status.
  private static func report(_ error: any Error, to console: Console) -> Int32 {
    guard let failure = CommandFailure(error) else { return reportUsage(error, to: console) }
    // Only the command's own failure counts: a closed pipe is no failure, and a full disk was reported.
    try? console.flush()
    for line in failure.lines { console.printError(line) }
    // A program that repeats a failed command must know that its commit was written.
    if failure.isOutputFailure, let work = console.writtenWork {
      console.printError("\(work) Do not repeat the command.")
    }
    return failure.status
  }

  /// Prints help and the version to standard output, and wrong usage to standard error.
  ///
  /// - Returns: The exit status: 74 if the output cannot be written.
  private static func reportUsage(_ error: any Error, to console: Console) -> Int32 {
    let code = DaybookCommand.exitCode(for: error)
    let text = DaybookCommand.fullMessage(for: error)
    do {
      if !text.isEmpty {
        // Completion scripts may contain any characters.
        if code.isSuccess { try console.write(text + "\n") } else { console.printError(text) }
      }
      try console.flush()
      return code.rawValue
    } catch {
      return report(error, to: console)
    }
  }
}

#endif
