#if Server

import NIOPosix

/// Runs tasks on the threads for blocking work.
///
/// A task that prefers it reads the store on these threads, and holds none of them while it waits.
package final class ThreadPoolExecutor: TaskExecutor {
  package static let shared = ThreadPoolExecutor()
  private let threads = NIOThreadPool.singleton

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Cancelled work runs too: a task must reach its end.
    threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs work that may block on one of the threads.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await shared.threads.runIfActive(body)
  }
}

#endif
