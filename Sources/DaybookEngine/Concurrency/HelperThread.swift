import Foundation
import LMDB

/// A thread that performs work beside the thread that owns it, one piece at a time.
///
///     let second = HelperThread(name: "daybook sorting")
///     second.begin { table.sort() }
///     makeOtherRows()
///     second.wait()
///
/// The thread ends when the object is released, which waits for the work in progress: what the work refers to without
/// owning it must only live that long.
package final class HelperThread: Sendable {
  /// What both threads use; the thread does not retain its owner.
  private final class Exchange: @unchecked Sendable {
    /// Protects the members below.
    private let monitor = Monitor()
    private var work: (@Sendable () -> Void)?
    private var isClosed = false

    func begin(_ work: @escaping @Sendable () -> Void) {
      monitor.withLock {
        precondition(self.work == nil, "A second thread performs one piece of work at a time.")
        self.work = work
        monitor.wakeAll()
      }
    }

    func wait() {
      monitor.withLock {
        while work != nil { monitor.wait() }
      }
    }

    func close() {
      monitor.withLock {
        while work != nil { monitor.wait() }
        isClosed = true
        monitor.wakeAll()
      }
    }

    func run() {
      while let work = next() {
        work()
        finish()
      }
    }

    private func next() -> (@Sendable () -> Void)? {
      monitor.withLock {
        while work == nil, !isClosed { monitor.wait() }
        return work
      }
    }

    private func finish() {
      monitor.withLock {
        work = nil
        monitor.wakeAll()
      }
    }
  }

  private let exchange = Exchange()

  /// Whether the process may run on more than one processor.
  package static let isUseful = ProcessInfo.processInfo.activeProcessorCount > 1

  /// Starts the thread.
  package init(name: String) {
    let thread = Thread { [exchange] in exchange.run() }
    thread.name = name
    thread.start()
  }

  deinit { exchange.close() }

  /// Begins a piece of work; the piece before it must be finished, or the process traps.
  package func begin(_ work: @escaping @Sendable () -> Void) { exchange.begin(work) }

  /// Waits until the work in progress is finished.
  package func wait() { exchange.wait() }
}
