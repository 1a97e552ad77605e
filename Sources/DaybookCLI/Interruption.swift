import Dispatch
import Foundation

/// Runs work that ends when somebody presses Ctrl-C, asks the process to end, or closes the pipe that it prints to.
///
/// The work's task is cancelled, and what it then does is its end: no error, status 0.
enum Interruption {
  static func ending(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await work() }
    let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    let watcher = Thread {
      if Interruption.waitForClosedOutput() { task.cancel() }
    }
    watcher.start()
    defer { for source in sources { source.cancel() } }
    do {
      try await task.value
    } catch is CancellationError {
      return
    }
  }

  /// Returns when nobody reads standard output any more; at once, with false, if that cannot be told.
  private static func waitForClosedOutput() -> Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    while true {
      let count = poll(&output, 1, -1)
      if count < 0, errno == EINTR { continue }
      return count > 0 && output.revents & Int16(POLLERR | POLLHUP) != 0
    }
  }
}
