#if Server

import DaybookModel
import DaybookTestSupport
import Dispatch
import NIOCore
import NIOPosix

/// All threads for blocking work, taken until they are freed.
final class TakenThreads: Sendable {
  private let end = DispatchSemaphore(value: 0)
  private let count = NIOSingletons.blockingPoolThreadCountSuggestion

  /// Waits until the work of others is done and all threads are taken.
  ///
  /// - Throws: `Mismatch` if that takes 30 s.
  init() async throws {
    let taken = Locked(0)
    for _ in 0..<count {
      NIOThreadPool.singleton.submit { [end] _ in
        taken.withLock { $0 += 1 }
        end.wait()
      }
    }
    for _ in 0..<6_000 where taken.withLock({ $0 }) < count { try? await Task.sleep(for: .milliseconds(5)) }
    let found = taken.withLock { $0 }
    guard found == count else {
      free()
      throw Mismatch("\(found) of \(count) threads are free")
    }
  }

  func free() { for _ in 0..<count { end.signal() } }
}

#endif
