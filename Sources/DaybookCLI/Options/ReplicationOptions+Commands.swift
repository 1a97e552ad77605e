#if Command

import ArgumentParser
import Daybook
import Foundation

extension ReplicationOptions {
  /// The options of commands: only those that stay follow; the environment can set the limits.
  ///
  /// `DAYBOOK_JOURNAL_TIMEOUT` is the number of seconds that a write waits for the servers, and `DAYBOOK_JOURNAL_COPIES` the
  /// number of nodes that must have a commit on their disks before a write is acknowledged.
  /// Values that ``checkEnvironment(_:)`` refuses count as absent.
  static var ofCommands: ReplicationOptions {
    var options = ReplicationOptions()
    options.follows = false
    let environment = ProcessInfo.processInfo.environment
    if let seconds = environment["DAYBOOK_JOURNAL_TIMEOUT"].flatMap(timeLimit) { options.timeLimit = .seconds(seconds) }
    if let count = environment["DAYBOOK_JOURNAL_COPIES"].flatMap(copyCount), count > 1 {
      options.acknowledgement = .replicas(count)
    }
    return options
  }

  private static func timeLimit(_ text: String) -> Double? {
    Double(text).flatMap { (0.01...3_600).contains($0) ? $0 : nil }
  }

  private static func copyCount(_ text: String) -> Int? {
    Int(text).flatMap { (1...1_000).contains($0) ? $0 : nil }
  }

  /// Checks the variables that commands read.
  ///
  /// - Throws: `ValidationError` for a value that is not one.
  static func checkEnvironment(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    if let text = environment["DAYBOOK_JOURNAL_TIMEOUT"], timeLimit(text) == nil {
      throw ValidationError("DAYBOOK_JOURNAL_TIMEOUT is “\(text)”; give a number of seconds from 0.01 to 3600.")
    }
    if let text = environment["DAYBOOK_JOURNAL_COPIES"], copyCount(text) == nil {
      throw ValidationError("DAYBOOK_JOURNAL_COPIES is “\(text)”; give a number of nodes from 1 to 1000.")
    }
  }
}

#endif
