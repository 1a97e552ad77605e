import Foundation
import Synchronization

/// Threads for blocking work, which would block the few threads that tasks share.
final class Workers: Sendable {
  private struct State {
    var running = 0
    var failure: (any Error)?
    var waiter: CheckedContinuation<Void, any Error>?
  }

  private let state = Mutex(State())

  func add(_ body: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.running += 1 }
    let thread = Thread {
      let result = Result { try body() }
      self.end(result)
    }
    thread.stackSize = 4 << 20
    thread.start()
  }

  private func end(_ result: Result<Void, any Error>) {
    let (waiter, failure) = state.withLock { state in
      state.running -= 1
      if case .failure(let error) = result, state.failure == nil { state.failure = error }
      defer { if state.running == 0 { state.waiter = nil } }
      return (state.running == 0 ? state.waiter : nil, state.failure)
    }
    if let failure { waiter?.resume(throwing: failure) } else { waiter?.resume() }
  }

  /// Waits until all threads have ended.
  ///
  /// - Throws: The first error of a thread.
  func wait() async throws {
    try await withCheckedThrowingContinuation { continuation in
      let result: Result<Void, any Error>? = state.withLock { state in
        if state.running == 0 { return state.failure.map { .failure($0) } ?? .success(()) }
        state.waiter = continuation
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }
}
