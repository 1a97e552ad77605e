import DaybookEngine
import DaybookModel
import Foundation
import Testing

@Suite(.hangLimit) struct SecondThreadTests {
  @Test func workIsFinishedAfterTheWait() {
    let second = SecondThread(name: "test")
    let done = Locked(0)
    for number in 1...100 {
      second.begin { done.withLock { $0 += 1 } }
      second.wait()
      #expect(done.withLock { $0 } == number)
    }
  }

  @Test func workRunsOnAThreadOfItsOwn() {
    let second = SecondThread(name: "test")
    let thread = Locked<ObjectIdentifier?>(nil)
    second.begin { thread.withLock { $0 = ObjectIdentifier(Thread.current) } }
    second.wait()
    #expect(thread.withLock { $0 } != nil)
    #expect(thread.withLock { $0 } != ObjectIdentifier(Thread.current))
  }

  @Test func aReleasedThreadHasFinishedItsWork() {
    let isDone = Locked(false)
    var second: SecondThread? = SecondThread(name: "test")
    second?.begin {
      Thread.sleep(forTimeInterval: 0.02)
      isDone.withLock { $0 = true }
    }
    second = nil
    #expect(isDone.withLock { $0 })
  }

  @Test func waitingForNothingReturns() {
    SecondThread(name: "test").wait()
  }
}
