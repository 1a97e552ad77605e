import DaybookEngine
import DaybookModel
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// How many messages are requested at once, and how reading continues when the journal has moved.
@Suite(.hangLimit) struct StreamReadingTests {
  private static func fold(at place: StreamPlace) -> StreamFold {
    StreamFold(at: place, of: .zero, hash: .zero, recordedAt: Timestamp(microseconds: .min))
  }

  /// A stream of messages that no store made, of a size, and the requests for them.
  private struct Stream {
    var count: Int
    var size = 10
    var requests: [ClosedRange<UInt64>] = []

    mutating func messages(_ first: UInt64, _ count: Int) -> StreamMessages {
      requests.append(first...first + UInt64(count) - 1)
      let found = max(0, min(count, self.count - Int(first) + 1))
      return StreamMessages((0..<found).map { _ in Array(repeating: 0, count: size) }, endStream: found < count)
    }
  }

  /// Reads a stream to its end, and returns the number of messages.
  private func read(
    _ reading: inout StreamReading, _ stream: inout Stream, until goal: ReadingGoal = .end
  ) throws -> Int {
    var count = 0
    while true {
      switch reading.next(until: goal) {
      case .message(let message):
        count += 1
        _ = try reading.progress?.fold.fold(message) { _ in nil }
      case .request(let first, let count): reading.receive(stream.messages(first, count))
      case .end: return count
      }
    }
  }

  private func start() throws -> StreamReading {
    var reading = StreamReading()
    try reading.align(with: StreamPlace(created: 1)) { Self.fold(at: $0) }
    return reading
  }

  @Test func anUnknownEndIsSoughtWithMoreAndMoreRequests() throws {
    var reading = try start()
    var stream = Stream(count: 100)
    #expect(try read(&reading, &stream) == 100)
    #expect(stream.requests.map(\.count) == [1, 2, 6, 18, 32, 32, 32])
    #expect(stream.requests.last == 92...123)
  }

  @Test func messagesUpToAKnownEndAreRequestedAtOnce() throws {
    var reading = try start()
    reading.knownEnd = 40
    var stream = Stream(count: 40)
    #expect(try read(&reading, &stream) == 40)
    #expect(stream.requests.first == 1...32)
    #expect(stream.requests.count == 2)
  }

  @Test func aMessageThatMustBeThereIsRequestedWithTheNextOne() throws {
    var reading = try start()
    var stream = Stream(count: 1)
    #expect(try read(&reading, &stream, until: .message(1)) == 1)
    #expect(stream.requests == [1...2])
  }

  @Test func commitsThatAreMissingAreRequestedByTheMessagesThatProbablyHoldThem() throws {
    var reading = try start()
    var stream = Stream(count: 3)
    #expect(try read(&reading, &stream, until: .position(3)) == 3)
    #expect(stream.requests.first == 1...3)
    for _ in 0..<50 { reading.noteCommits(4) }
    stream = Stream(count: 7)
    #expect(try read(&reading, &stream, until: .position(16)) == 4)
    #expect(stream.requests.first == 4...8)
  }

  @Test func largeMessagesAreRequestedInSmallerNumbers() throws {
    var reading = try start()
    reading.knownEnd = 20
    var stream = Stream(count: 20, size: 2 << 20)
    #expect(try read(&reading, &stream) == 20)
    // The size is known after the first request.
    #expect(stream.requests == [1...21])
    reading.knownEnd = 40
    stream = Stream(count: 40, size: 1 << 20)
    #expect(try read(&reading, &stream) == 20)
    #expect(stream.requests.map(\.count) == [2, 4, 4, 4, 4, 4])
  }

  @Test func aKnownEndThatIsNotThereIsForgotten() throws {
    var reading = try start()
    reading.knownEnd = 9
    var stream = Stream(count: 3)
    #expect(try read(&reading, &stream) == 3)
    #expect(reading.knownEnd == 3)
  }

  @Test func readingContinuesWhereTheJournalIsAndBeginsAgainElsewhere() throws {
    var reading = try start()
    let start = StreamPlace(created: 1)
    var place = start
    place.sequence = 5
    place.position = 5
    reading.progress?.arrivals.add([], sizeInBytes: 1, to: place)
    var made: [StreamPlace] = []
    let makeFold: (StreamPlace) -> StreamFold = { place in
      made.append(place)
      return Self.fold(at: place)
    }
    // Nothing was appended.
    try reading.align(with: start, makeFold)
    #expect(reading.progress?.arrivals.isEmpty == false)
    // What arrived was appended.
    try reading.align(with: place, makeFold)
    #expect(reading.progress?.arrivals.isEmpty == true)
    #expect(made == [])
    // Another process has appended something else.
    place.sequence = 3
    try reading.align(with: place, makeFold)
    #expect(made == [place])
    #expect(reading.progress?.arrivals.start == place)
    try reading.align(with: nil, makeFold)
    #expect(reading.progress?.arrivals.start == nil)
    try reading.align(with: nil, makeFold)
    #expect(made.count == 2)
  }
}
