#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Waits until any process writes to a file.
///
/// On Linux the kernel wakes the waiting thread (inotify); on other systems, or when the kernel has no free watch, the
/// thread wakes every ``pollingInterval``. Watching a file opens no descriptor of it, which would drop LMDB's locks.
package final class FileSignal: @unchecked Sendable {
  // After init only the kernel's own queues change; the descriptors are closed when no thread waits any more.
  private let wakeReader: Int32
  private let wakeWriter: Int32
  private let watcher: Int32

  /// The polling interval in milliseconds, where the kernel does not report writes.
  ///
  /// It is well under the 50 milliseconds within which a commit of another process must arrive.
  package static let pollingInterval: Int32 = 20

  /// - Throws: `LMDBError` if the process has no descriptors left.
  package init(watching paths: [String]) throws(LMDBError) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw LMDBError(code: errno, .inspectFile, path: paths.first ?? "") }
    (wakeReader, wakeWriter) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    #if os(Linux)
    var watcher = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    for path in paths where watcher >= 0 {
      if unsafe inotify_add_watch(watcher, path, UInt32(IN_MODIFY)) < 0 {
        close(watcher)
        watcher = -1
      }
    }
    self.watcher = watcher
    #else
    watcher = -1
    #endif
  }

  deinit {
    close(wakeReader)
    close(wakeWriter)
    if watcher >= 0 { close(watcher) }
  }

  /// Whether the kernel reports writes, so that waiting costs nothing.
  package var isWoken: Bool { watcher >= 0 }

  /// Waits for a write, a call of ``wake()`` since the last wait, or the end of the time.
  package func wait(atMostMilliseconds time: Int32) {
    var descriptors = [pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0)]
    if isWoken { descriptors.append(pollfd(fd: watcher, events: Int16(POLLIN), revents: 0)) }
    _ = unsafe poll(&descriptors, nfds_t(descriptors.count), isWoken ? time : min(time, FileSignal.pollingInterval))
    for descriptor in descriptors where descriptor.revents != 0 { drain(descriptor.fd) }
  }

  /// Wakes the waiting thread, or the next one to wait.
  package func wake() {
    // If the pipe is full, the thread wakes without another byte.
    _ = unsafe write(wakeWriter, [UInt8(1)], 1)
  }

  private func drain(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while unsafe read(descriptor, &buffer, buffer.count) == buffer.count {}
  }
}
