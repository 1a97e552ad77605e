import DaybookModel
import DaybookTestSupport
import Testing

/// The bytes of commit headers of both versions.
@Suite(.hangLimit) struct CommitHeaderTests {
  private let id = ObjectID(high: 7, low: 9)

  /// Calls a closure with a header for each subset of the optional parts.
  private func withEveryHeader(_ body: (CommitHeader) throws -> Void) rethrows {
    for bits in 0..<(1 << 9) {
      func has(_ bit: Int) -> Bool { bits & 1 << bit != 0 }
      var reasons = CommitReasons()
      if has(4) { reasons.metadata = Array(#"{"a":1,"é":null}"#.utf8) }
      if has(5) { reasons.causation = has(6) ? .position(300) : .commitID(id) }
      if has(7) { reasons.correlation = has(6) ? "flow" : "" }
      if has(8) { reasons.undoes = PositionList([2, 3, 4, 7]) ?? PositionList() }
      if !has(8), has(6) { reasons.redoes = PositionList(5, through: 5) }
      try body(
        CommitHeader(
          position: 1_000, previousHash: Digest(words: (1, 2, 3, 4)), bodyDigest: Digest(words: (5, 6, 7, 8)),
          recordedAt: Timestamp(microseconds: 9), happenedAt: has(0) ? Timestamp(microseconds: -5) : nil,
          commitID: has(1) ? id : nil, author: has(2) ? "editor" : nil, message: has(3) ? "why" : nil, eventCount: 300,
          bodySize: 70_000, isModel: has(0), reasons: reasons))
    }
  }

  private func bytes(_ header: CommitHeader) -> [UInt8] {
    var bytes: [UInt8] = []
    header.append(to: &bytes)
    return bytes
  }

  @Test func everySubsetOfOptionalPartsIsReadAsItWasWritten() throws {
    try withEveryHeader { header in
      let bytes = bytes(header)
      let read = try CommitHeader.read(bytes.rawSpan)
      #expect(read.header == header && read.size == bytes.count)
      #expect(try CommitHeader.eventCount(bytes.rawSpan) == 300)
    }
  }

  @Test func aHeaderWithoutReasonsHasTheBytesOfVersionOne() throws {
    withEveryHeader { header in
      let bytes = bytes(header)
      #expect(bytes[0] == (header.reasons.isEmpty ? 1 : 2))
      var plain = header
      plain.reasons = CommitReasons()
      #expect(bytes.dropFirst().starts(with: self.bytes(plain).dropFirst()))
    }
  }

  @Test func noPrefixOfAHeaderIsAHeader() throws {
    withEveryHeader { header in
      let bytes = bytes(header)
      for count in bytes.indices {
        #expect(throws: CommitFault.self) { try CommitHeader.read(Array(bytes[..<count]).rawSpan) }
      }
    }
  }

  @Test func changedBytesNeverTrap() throws {
    var random = SeededRandom(seed: Seeds.one)
    withEveryHeader { header in
      for _ in 0..<20 {
        var bytes = bytes(header)
        for _ in 0..<random.number(1...3) {
          bytes[random.number(0...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
        }
        guard let read = try? CommitHeader.read(bytes.rawSpan) else { continue }
        #expect(self.bytes(read.header) == Array(bytes[..<read.size]), "a header has only one form")
        _ = read.header.reasons.fault(at: read.header.position, isModel: read.header.isModel, models: [1])
      }
    }
  }

  @Test func aThirdVersionIsReportedByItsNumber() {
    var later = CommitHeader.formatVersion
    later += 1
    #expect(throws: CommitFault.newerFormat(later)) { try CommitHeader.read([later, 0].rawSpan) }
    #expect(throws: CommitFault.self) { try CommitHeader.read([0, 0].rawSpan) }
  }

  @Test func partsThatExcludeEachOtherAndEmptyReasonsAreRefused() throws {
    var header: CommitHeader?
    withEveryHeader { if $0.reasons.isEmpty { header = $0 } }
    let plain = bytes(try #require(header))
    for reasons: [UInt8] in [
      [0], [64], [2 + 4, 1] + [UInt8](repeating: 1, count: 16), [16 + 32, 1, 1, 0, 1, 2, 0], [1, 0], [16, 0],
      [16, 1, 0, 0],
      [16, 2, 1, 0, 1, 0], [16, 2, 1, 0, 0, 0], [16, 1, 1, 0xc0, 0x84, 0x3d], [8, 1, 0xff],
    ] {
      #expect(throws: CommitFault.self, "\(reasons)") {
        try CommitHeader.read(([2] + plain.dropFirst() + reasons).rawSpan)
      }
    }
  }

  @Test func aRunOfPositionsIsStoredInFewBytes() throws {
    var reasons = CommitReasons()
    reasons.undoes = PositionList(2, through: 1_000_001)
    #expect(reasons.undoes.count == 1_000_000)
    withEveryHeader { header in
      var (long, short) = (header, header)
      (long.reasons, short.reasons) = (reasons, CommitReasons())
      #expect(bytes(long).count <= bytes(short).count + 6)
    }
  }

  @Test func aListOfPositionsRisesFromOne() {
    for positions: [Position] in [[0], [2, 2], [3, 2], [1, 2, 2]] { #expect(PositionList(positions) == nil) }
    let list = PositionList([1, 2, 3, 5, 9, 10])
    #expect(list?.runs == [1...3, 5...5, 9...10])
    #expect(list?.positions == [1, 2, 3, 5, 9, 10])
    #expect(list?.contains(4) == false && list?.contains(5) == true)
    #expect(list?.last == 10 && PositionList().last == nil && PositionList([]) == PositionList())
  }

  @Test func aFaultOfReasonsIsNamed() throws {
    func fault(_ change: (inout CommitReasons) -> Void, isModel: Bool = false) -> String? {
      var reasons = CommitReasons()
      change(&reasons)
      return reasons.fault(at: 10, isModel: isModel, models: [1, 6])
    }
    #expect(fault { _ in } == nil)
    #expect(fault { $0.metadata = Array(#"{"b":1}"#.utf8) } == nil)
    for text in [#"{"b":1, "a":2}"#, #"{"b":1,"a":2}"#, "{", "[]", "{}1", #"{"a":[]}"#, #"{"a":1e999}"#, #"{"":1}"#] {
      #expect(fault { $0.metadata = Array(text.utf8) }?.contains("metadata") == true, "\(text)")
    }
    #expect(fault { $0.correlation = String(repeating: "x", count: 200) } == nil)
    #expect(fault { $0.correlation = String(repeating: "x", count: 201) }?.contains("201 bytes") == true)
    #expect(fault { $0.causation = .position(9) } == nil)
    #expect(fault { $0.causation = .position(0) } != nil)
    #expect(fault { $0.causation = .position(10) }?.contains("not before it") == true)
    #expect(fault { $0.undoes = PositionList(7, through: 9) } == nil)
    #expect(fault { $0.undoes = PositionList(7, through: 10) }?.contains("not before it") == true)
    #expect(fault { $0.redoes = PositionList(5, through: 7) }?.contains("commit 6, which is a model") == true)
    #expect(fault({ $0.redoes = PositionList(7, through: 7) }, isModel: true)?.contains("is a model") == true)
  }
}
