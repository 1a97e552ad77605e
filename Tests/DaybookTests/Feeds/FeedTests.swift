import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The one sequence that all feeds are, over a source of numbers.
@Suite(.hangLimit) struct FeedTests {
  private struct Closed: Error {}

  /// Numbers from 1 on, which become available one by one.
  private final class Numbers: Sendable {
    private struct State {
      var available = 0
      var isClosed = false
      var polled = 0
      var wakeups: [Wakeup] = []
    }

    private let state = Locked(State())

    var polled: Int { state.withLock { $0.polled } }
    var isAwaited: Bool { state.withLock { $0.wakeups.contains(where: \.isAwaited) } }

    var feed: Feed<Int> {
      Feed {
        let source = Source(numbers: self)
        self.state.withLock { $0.wakeups.append(source.wakeup) }
        return source
      }
    }

    func add(_ count: Int) { change { $0.available += count } }
    func close() { change { $0.isClosed = true } }

    private func change(_ body: (inout State) -> Void) {
      for wakeup in state.withLock({ state in
        body(&state)
        return state.wakeups
      }) { wakeup.signal() }
    }

    func next(after last: Int) throws -> Int? {
      try state.withLock { state in
        state.polled += 1
        if last < state.available { return last + 1 }
        if state.isClosed { throw Closed() }
        return nil
      }
    }
  }

  private final class Source: FeedSource {
    let wakeup = Wakeup()
    private let numbers: Numbers
    private var last = 0
    var position: Position { Position(UInt64(last)) }

    init(numbers: Numbers) { self.numbers = numbers }

    func poll() throws -> Int? {
      wakeup.reset()
      guard let next = try numbers.next(after: last) else { return nil }
      last = next
      return next
    }
  }

  @Test func eachLoopReadsOnItsOwn() async throws {
    let numbers = Numbers()
    numbers.add(3)
    var (first, second) = (numbers.feed.makeAsyncIterator(), numbers.feed.makeAsyncIterator())
    for number in 1...3 { #expect(try await first.next() == number) }
    #expect(try await second.next() == 1)
    #expect(first.position == 3 && second.position == 1)
  }

  @Test func nothingIsComputedAheadOfTheConsumer() async throws {
    let numbers = Numbers()
    numbers.add(100)
    var iterator = numbers.feed.converted { "\($0)" }.makeAsyncIterator()
    #expect(numbers.polled == 0)
    #expect(try await iterator.next() == "1")
    #expect(try await iterator.next() == "2")
    #expect(numbers.polled == 2)
  }

  @Test func anElementThatCannotBeConvertedWasNotDelivered() async throws {
    let numbers = Numbers()
    numbers.add(2)
    var iterator = numbers.feed.converted { if $0 == 2 { throw Closed() } }.makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    await #expect(throws: Closed.self) { _ = try await iterator.next() }
    #expect(iterator.position == 1)
  }

  @Test func cancellingEndsALoopThatWaits() async throws {
    let numbers = Numbers()
    let task = Task {
      var sum = 0
      for try await number in numbers.feed { sum += number }
      return sum
    }
    numbers.add(2)
    while !numbers.isAwaited { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    #expect(try await task.value == 3)
  }

  @Test func closingEndsALoopWithAnErrorAfterTheLastElement() async throws {
    let numbers = Numbers()
    let last = Locked(0)
    let task = Task { for try await number in numbers.feed { last.withLock { $0 = number } } }
    numbers.add(5)
    while !numbers.isAwaited { try await Task.sleep(for: .milliseconds(1)) }
    numbers.close()
    await #expect(throws: Closed.self) { try await task.value }
    #expect(last.withLock { $0 } == 5)
  }

  @Test func loopsMissNothingWhateverTheirSpeed() async throws {
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    let numbers = Numbers()
    let count = 2_000
    let loops = (0..<4).map { _ in
      let pause = random.number(1...400)
      return Task {
        var last = 0
        for try await number in numbers.feed {
          guard number == last + 1 else { return last }
          last = number
          if number % pause == 0 { try await Task.sleep(for: .microseconds(200)) }
          if number == count { return last }
        }
        return last
      }
    }
    var added = 0
    while added < count {
      let step = min(random.number(1...20), count - added)
      numbers.add(step)
      added += step
      if random.isTrue(percent: 30) { try await Task.sleep(for: .microseconds(100)) }
    }
    for loop in loops { #expect(try await loop.value == count, "seed \(seed)") }
  }
}
