#if Server

import NIOCore
import Testing

@testable import DaybookServer

/// What a connection does when, without a socket and without waiting.
@Suite(.hangLimit) struct ConnectionStateTests {
  private static let limits = ConnectionLimits(
    request: .seconds(30), idle: .seconds(20), stall: .seconds(40), shutdown: .seconds(9))
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

  private var state = ConnectionState(limits, at: start)

  private static func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

  /// Returns what is to be done, in a word, and the seconds until the next look.
  private static func next(_ state: inout ConnectionState, _ seconds: Int64) -> (word: String, look: Int64?) {
    switch state.next(at: at(seconds)) {
    case .wait(let end): ("wait", end.map { ($0 - at(seconds)).nanoseconds / 1_000_000_000 })
    case .refuse(.late, _, _): ("late", nil)
    case .refuse(.ending, _, _): ("ending", nil)
    case .refuse(.problem(let problem), _, _): ("\(problem.status.code)", nil)
    case .endOutput: ("end output", nil)
    case .close(.complete): ("close", nil)
    case .close(.stalled(let time)): ("stalled for \(time.nanoseconds / 1_000_000_000) s", nil)
    case .close(.refused): ("refused", nil)
    case .close(.ended): ("ended", nil)
    }
  }

  @Test func aConnectionWithoutARequestIsClosedAfterItsIdleTime() {
    var state = state
    #expect(Self.next(&state, 0) == ("wait", 20))
    #expect(Self.next(&state, 19).word == "wait")
    #expect(Self.next(&state, 20).word == "close")
  }

  @Test func aRequestHasItsTimeFromItsFirstByteThoughTheConnectionWasIdle() {
    var state = state
    state.receive(at: Self.at(19))
    #expect(Self.next(&state, 19) == ("wait", 30))
    // Single bytes win no time.
    state.receive(at: Self.at(48))
    #expect(Self.next(&state, 48) == ("wait", 1))
    #expect(Self.next(&state, 49).word == "late")
    #expect(Self.next(&state, 49).word == "end output")
    #expect(Self.next(&state, 50) == ("wait", 1))
    #expect(Self.next(&state, 51).word == "close")
  }

  @Test func anAnswerUnderWayHasAllTheTimeThatTheOperationTakes() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    state.receiveEnd()
    #expect(Self.next(&state, 1_000) == ("wait", nil))
    // The beginning of the next request waits for its turn.
    state.receive(at: Self.at(1_000))
    #expect(Self.next(&state, 2_000) == ("wait", nil))
    _ = state.beginAnswer()
    state.endAnswer(at: Self.at(2_000))
    #expect(Self.next(&state, 2_000) == ("wait", 30))
  }

  @Test func anAnswerIsSentAsLongAsTheClientReads() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    state.receiveEnd()
    _ = state.beginAnswer()
    state.enqueue(at: Self.at(0))
    state.endAnswer(at: Self.at(0))
    state.acknowledge(0, at: Self.at(0))
    for second in stride(from: Int64(10), to: 1_000, by: 10) {
      state.acknowledge(UInt64(second), at: Self.at(second))
      #expect(Self.next(&state, second) == ("wait", 10))
    }
    state.acknowledge(990, at: Self.at(1_020))
    #expect(Self.next(&state, 1_029).word == "wait")
    #expect(Self.next(&state, 1_030).word == "stalled for 40 s")
  }

  @Test func whatAClientReadBeforeTheFirstLookIsProgress() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    state.receiveEnd()
    _ = state.beginAnswer()
    state.enqueue(at: Self.at(0))
    state.acknowledge(1_000, at: Self.at(10))
    #expect(Self.next(&state, 49).word == "wait")
    #expect(Self.next(&state, 50).word == "stalled for 40 s")
  }

  @Test func theIdleTimeBeginsWhenTheLastByteIsSent() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    state.receiveEnd()
    _ = state.beginAnswer()
    state.enqueue(at: Self.at(0))
    state.endAnswer(at: Self.at(0))
    state.send(at: Self.at(35))
    #expect(Self.next(&state, 35) == ("wait", 20))
  }

  @Test func theLastAnswerIsSentBeforeTheConnectionEnds() {
    var state = state
    state.receiveHead(.init(closes: true), at: Self.at(0))
    state.receiveEnd()
    #expect(state.beginAnswer()?.closes == true)
    state.enqueue(at: Self.at(0))
    state.endAnswer(at: Self.at(0))
    #expect(!state.isReceiving)
    #expect(Self.next(&state, 1).word == "wait")
    state.send(at: Self.at(2))
    #expect(Self.next(&state, 2).word == "end output")
    // A client that ends its side, too, is done.
    state.closeInput()
    #expect(Self.next(&state, 2).word == "close")
  }

  @Test func anAnswerBeforeTheEndOfItsRequestIsTheLast() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    #expect(state.beginAnswer()?.closes == true)
  }

  @Test func aFaultIsAnsweredAfterTheRequestsBeforeIt() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    state.receiveEnd()
    state.receive(at: Self.at(1))
    state.refuse(.problem(Problem(.badRequest, "")))
    #expect(Self.next(&state, 1).word == "wait")
    _ = state.beginAnswer()
    state.endAnswer(at: Self.at(2))
    #expect(Self.next(&state, 2).word == "400")
    #expect(Self.next(&state, 2).word == "end output")
  }

  @Test func aFaultWithinABodyWhoseAnswerHasBegunClosesTheConnection() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    _ = state.beginAnswer()
    state.refuse(.problem(Problem(.badRequest, "")))
    #expect(Self.next(&state, 1).word == "refused")
  }

  @Test func aShutdownClosesWhatIsIdleAndFinishesWhatIsUnderWay() {
    var idle = state
    idle.end(at: Self.at(1))
    #expect(Self.next(&idle, 1).word == "close")
    var busy = state
    busy.receiveHead(.init(), at: Self.at(0))
    busy.receiveEnd()
    busy.end(at: Self.at(1))
    #expect(Self.next(&busy, 1) == ("wait", 9))
    #expect(busy.beginAnswer()?.closes == true)
    busy.enqueue(at: Self.at(2))
    busy.endAnswer(at: Self.at(2))
    #expect(Self.next(&busy, 3).word == "wait")
    busy.send(at: Self.at(4))
    #expect(Self.next(&busy, 4).word == "end output")
    #expect(Self.next(&busy, 6).word == "close")
  }

  @Test func aShutdownWaitsTwoSecondsForClientsThatDoNothing() {
    var half = state
    half.receiveHead(.init(), at: Self.at(0))
    half.end(at: Self.at(1))
    #expect(Self.next(&half, 2).word == "wait")
    half.receive(at: Self.at(2))
    #expect(Self.next(&half, 3).word == "wait")
    #expect(Self.next(&half, 4).word == "ending")
    var unread = state
    unread.receiveHead(.init(), at: Self.at(0))
    unread.receiveEnd()
    _ = unread.beginAnswer()
    unread.enqueue(at: Self.at(0))
    unread.end(at: Self.at(1))
    #expect(Self.next(&unread, 2).word == "wait")
    #expect(Self.next(&unread, 3).word == "stalled for 2 s")
  }

  @Test func aShutdownEndsAfterItsTimeWhateverTheClientsDo() {
    var state = state
    state.receiveHead(.init(), at: Self.at(0))
    state.receiveEnd()
    _ = state.beginAnswer()
    state.enqueue(at: Self.at(0))
    state.end(at: Self.at(1))
    for second in Int64(2)..<10 {
      state.acknowledge(UInt64(second), at: Self.at(second))
      #expect(Self.next(&state, second).word == "wait")
    }
    state.acknowledge(100, at: Self.at(10))
    #expect(Self.next(&state, 10).word == "ended")
  }

  @Test func aClientIsToldOnceToSendItsBody() {
    var state = state
    state.receiveHead(.init(expectsContinue: true), at: Self.at(0))
    let taken = [state.takeExpectation(), state.takeExpectation()]
    #expect(taken == [true, false])
    var answered = self.state
    answered.receiveHead(.init(expectsContinue: true), at: Self.at(0))
    _ = answered.beginAnswer()
    let isTaken = answered.takeExpectation()
    #expect(!isTaken)
  }
}

#endif
