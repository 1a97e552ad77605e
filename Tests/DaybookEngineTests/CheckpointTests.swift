import DaybookModel
import LMDB
import Testing

@testable import DaybookEngine

/// The checkpoint that built-in and user projections store.
@Suite(.hangLimit) struct CheckpointTests {
  private static let hash = Digest(words: (1, 2, 3, 4))

  @Test func aCheckpointStoresPositionAndHash() throws {
    let checkpoint = Checkpoint(9, hash: Self.hash)
    var bytes: [UInt8] = []
    checkpoint.append(to: &bytes)
    var expected: [UInt8] = []
    for number in [9, 1, 2, 3, 4] as [UInt64] { expected.appendFixed(number) }
    #expect(bytes == expected)
    var reader = ByteReader(bytes.rawSpan)
    #expect(try Checkpoint(reading: &reader) == checkpoint)
  }

  @Test func theRowOfTheBuiltInTablesHasTheBytesOfTheFileFormat() throws {
    var state = BuiltInTablesState(
      checkpoint: Checkpoint(9, hash: Self.hash), modelPosition: 5, model: try ResolvedModel(creating: Garden.model),
      generations: [1, 2, 3, 4, 5])
    var expected: [UInt8] = [5, 1]
    for number in [9, 1, 2, 3, 4, 5] as [UInt64] { expected.appendFixed(number) }
    expected += [1, 2, 3, 4, 5]
    #expect(state.bytes == expected)
    #expect(BuiltInTablesState(state.bytes.rawSpan) == state)
    state.checkpoint.omittingFormat = 6
    #expect(state.bytes == expected + [6])
    #expect(BuiltInTablesState(state.bytes.rawSpan, knowing: 6) == state)
    #expect(BuiltInTablesState(state.bytes.rawSpan, knowing: 7) == nil)
    // An order of a locale that this process does not know.
    state.collations = "qq=1"
    #expect(state.bytes == expected + [6, 4] + Array("qq=1".utf8))
    #expect(BuiltInTablesState(state.bytes.rawSpan, knowing: 6) == nil)
  }

  @Test func aLaterFormatKnowsTheOmittedEvents() {
    var checkpoint = Checkpoint(9, hash: Self.hash)
    #expect(!checkpoint.lacksEvents(knownTo: .max))
    checkpoint.noteOmittedEvent()
    #expect(!checkpoint.lacksEvents())
    #expect(checkpoint.lacksEvents(knownTo: JournalMeta.formatVersion + 1))
    checkpoint.move(to: 10, hash: .zero)
    #expect(checkpoint.lacksEvents(knownTo: .max))
  }

  @Test func aCheckpointBelongsToTheJournalThatHasItsCommit() throws {
    let bench = try EngineBench(Garden.model)
    _ = try Garden.plantRose(bench)
    try bench.read { present, journal in
      let head = present.position
      let first = Checkpoint(1, hash: try journal.header(at: 1).hash)
      let last = Checkpoint(head, hash: try journal.header(at: head).hash)
      #expect(try Checkpoint.empty.belongs(to: journal, head: head))
      #expect(try first.belongs(to: journal, head: head))
      #expect(try last.belongs(to: journal, head: head))
      #expect(try last.belongs(to: journal, head: head, headHash: last.hash))
      #expect(try !last.belongs(to: journal, head: head, headHash: first.hash))
      #expect(try !Checkpoint(head, hash: first.hash).belongs(to: journal, head: head))
      #expect(try !Checkpoint(head.next, hash: last.hash).belongs(to: journal, head: head))
    }
  }
}
