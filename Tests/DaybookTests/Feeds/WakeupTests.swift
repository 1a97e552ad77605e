import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The flag that all parts of a store wait for, and the threads that wait for it.
@Suite(.hangLimit) struct WakeupTests {
  @Test func aSignalBeforeTheWaitEndsIt() async {
    let wakeup = Wakeup()
    wakeup.signal()
    await wakeup.wait()
    wakeup.block()
    #expect(wakeup.isSet)
    wakeup.reset()
    #expect(!wakeup.block(atMost: .milliseconds(1)))
  }

  @Test func aSignalWakesAllTasksAndThreads() async throws {
    let wakeup = Wakeup()
    let threads = Locked(0)
    for _ in 0..<3 {
      Thread {
        wakeup.block()
        threads.withLock { $0 += 1 }
      }.start()
    }
    let tasks = (0..<3).map { _ in Task { await wakeup.wait() } }
    try await Task.sleep(for: .milliseconds(5))
    wakeup.signal()
    for task in tasks { await task.value }
    while threads.withLock({ $0 }) < 3 { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func cancellingATaskEndsItsWait() async throws {
    let wakeup = Wakeup()
    let task = Task { await wakeup.next { nil as Int? } }
    while !wakeup.isAwaited { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    #expect(await task.value == nil)
  }

  @Test func noSignalIsLostBetweenThreadsAndTasks() async throws {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    for _ in 0..<20 {
      let (wakeups, made) = ((0..<3).map { _ in Wakeup() }, Locked(0))
      let counts = (0..<random.number(1...4)).map { _ in random.number(1...300) }
      let total = counts.reduce(0, +)
      for count in counts {
        Thread {
          for _ in 0..<count {
            made.withLock { $0 += 1 }
            for wakeup in wakeups { wakeup.signal() }
          }
        }.start()
      }
      let isBlockedAtEnd = Locked(false)
      Thread {
        repeat {
          wakeups[0].block()
          wakeups[0].reset()
        } while made.withLock { $0 } < total
        isBlockedAtEnd.withLock { $0 = true }
      }.start()
      for wakeup in wakeups.dropFirst() {
        let end = await wakeup.next { () -> Int? in
          wakeup.reset()
          let count = made.withLock { $0 }
          return count == total ? count : nil
        }
        #expect(end == total, "seed \(seed)")
      }
      while !isBlockedAtEnd.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test func aWorkerThatEndedStartsAgain() {
    let worker = Worker("test")
    let count = Locked(0)
    for number in 1...20 {
      worker.start {
        count.withLock { $0 += 1 }
        return false
      }
      worker.waitUntilEnded()
      #expect(count.withLock { $0 } == number)
    }
    worker.close()
    worker.start { true }
    #expect(count.withLock { $0 } == 20)
  }

  @Test func aWorkerProcessesWhatWasQueuedBeforeItIsClosed() {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let worker = Worker("test")
      let (queued, done) = (Locked(0), Locked(0))
      for _ in 0..<random.number(1...20) {
        queued.withLock { $0 += 1 }
        worker.start {
          let count = queued.withLock { $0 }
          // A step that waits itself resets the signals that came meanwhile.
          worker.wakeup.reset()
          done.withLock { $0 = max($0, count) }
          return true
        }
        if random.isTrue(percent: 20) { Thread.sleep(forTimeInterval: 0.000_05) }
      }
      worker.close()
      #expect(done.withLock { $0 } == queued.withLock { $0 }, "seed \(seed)")
    }
  }

  @Test func aStepMayCloseItsOwnWorker() {
    let worker = Worker("test")
    worker.start {
      worker.close()
      return true
    }
    worker.waitUntilEnded()
    #expect(worker.isClosed)
  }
}
