import DaybookEngine
import DaybookModel
import Foundation
import Testing

@Suite(.hangLimit) struct HelperThreadTests {
  @Test func workIsFinishedAfterTheWait() {
    let second = HelperThread(name: "test")
    let done = Locked(0)
    for number in 1...100 {
      second.begin { done.withLock { $0 += 1 } }
      second.wait()
      #expect(done.withLock { $0 } == number)
    }
  }

  @Test func workRunsOnAThreadOfItsOwn() {
    let second = HelperThread(name: "test")
    let thread = Locked<ObjectIdentifier?>(nil)
    second.begin { thread.withLock { $0 = ObjectIdentifier(Thread.current) } }
    second.wait()
    #expect(thread.withLock { $0 } != nil)
    #expect(thread.withLock { $0 } != ObjectIdentifier(Thread.current))
  }

  @Test func aReleasedThreadHasFinishedItsWork() {
    let isDone = Locked(false)
    var second: HelperThread? = HelperThread(name: "test")
    second?.begin {
      Thread.sleep(forTimeInterval: 0.02)
      isDone.withLock { $0 = true }
    }
    second = nil
    #expect(isDone.withLock { $0 })
  }

  @Test func waitingForNothingReturns() {
    HelperThread(name: "test").wait()
  }
}
