#if Command

import Foundation

/// Runs work that ends on Ctrl-C, on a terminating signal, or when the output pipe is closed.
///
/// The work's task is cancelled, and its response is the end: no error, status 0. A second signal ends the process at
/// once, which helps if it hangs because its output is not read.
enum Interruption {
  /// - Parameter onResize: Called when the terminal's size changes.
  static func ending(
    onResize: @escaping @Sendable () -> Void = {}, _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    let signals = try SignalPipe()
    for number in [SIGINT, SIGTERM, SIGHUP, SIGWINCH] { signals.take(number) }
    let task = Task { try await work() }
    let watcher = Thread { watch(signals, onResize) { task.cancel() } }
    watcher.start()
    do {
      try await task.value
    } catch is CancellationError {
      return
    }
  }

  /// Waits for signals, and for the reader of standard output to close it.
  private static func watch(_ signals: SignalPipe, _ resize: () -> Void, _ cancel: () -> Void) {
    var descriptors = [
      pollfd(fd: signals.reader, events: Int16(POLLIN), revents: 0), pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
    ]
    while true {
      guard poll(&descriptors, nfds_t(descriptors.count), -1) >= 0 || errno == EINTR else { return }
      while let number = signals.next() {
        if number == SIGWINCH {
          resize()
        } else {
          cancel()
          signal(number, SIG_DFL)
        }
      }
      if descriptors.count > 1, descriptors[1].revents != 0 {
        if descriptors[1].revents & Int16(POLLERR | POLLHUP) != 0 { cancel() }
        // The condition persists, and would be reported again and again.
        descriptors.removeLast()
      }
    }
  }
}

/// Signals as bytes in a pipe, because a handler may do little more than write a byte.
private struct SignalPipe {
  /// The pipe's end for handlers; set before the first handler is installed, and then constant.
  nonisolated(unsafe) private static var writer: Int32 = -1

  let reader: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw FileFailure("Cannot make a pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    reader = ends[0]
    SignalPipe.writer = ends[1]
  }

  /// Installs the handler of a signal.
  func take(_ number: Int32) {
    signal(number) { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      // A full pipe holds enough signals.
      _ = write(SignalPipe.writer, &byte, 1)
      errno = code
    }
  }

  /// Returns the next signal, or `nil` if no signal is pending.
  func next() -> Int32? {
    var byte: UInt8 = 0
    return read(reader, &byte, 1) == 1 ? Int32(byte) : nil
  }
}

#endif
