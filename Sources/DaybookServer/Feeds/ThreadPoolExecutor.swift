import NIOPosix

/// Runs tasks on the threads for blocking work.
///
/// A task that prefers it reads the store on these threads, and holds none of them while it waits.
final class ThreadPoolExecutor: TaskExecutor {
  static let shared = ThreadPoolExecutor()
  private let threads = NIOThreadPool.singleton

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Cancelled work runs too: a task must reach its end.
    threads.submit { _ in job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Runs work that may block on one of the threads.
  static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await shared.threads.runIfActive(body)
  }
}
