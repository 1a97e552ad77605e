import Daybook
import Foundation

extension ReplicationOptions {
  /// The options of commands: only those that stay follow; the environment can set the limits.
  ///
  /// `DAYBOOK_JOURNAL_TIMEOUT` is the number of seconds that a write waits for the servers, and `DAYBOOK_JOURNAL_COPIES` the
  /// number of nodes that must have a commit on their disks before a write is acknowledged.
  static var ofCommands: ReplicationOptions {
    var options = ReplicationOptions()
    options.follows = false
    let environment = ProcessInfo.processInfo.environment
    if let seconds = environment["DAYBOOK_JOURNAL_TIMEOUT"].flatMap(Double.init), (0.01...3_600).contains(seconds) {
      options.timeLimit = .seconds(seconds)
    }
    if let count = environment["DAYBOOK_JOURNAL_COPIES"].flatMap(Int.init), count > 1 {
      options.acknowledgement = .replicas(count)
    }
    return options
  }
}
