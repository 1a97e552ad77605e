import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import DaybookEngine

/// Writing the pieces of large values into the journal's environment.
@Suite(.hangLimit) struct LargeValueAppendTests {
  private let directory: TemporaryDirectory
  private let environment: Environment

  init() throws {
    directory = try TemporaryDirectory()
    environment = try Environment.open(at: directory.path, options: EnvironmentOptions())
  }

  /// A value that is there already costs neither a read of its bytes nor pages of the file.
  @Test func aValueThatIsStoredIsNeitherReadNorWrittenAgain() throws {
    let source = CountedBytes(LargeSample.bytes(1, 2_500_000))
    let value = try #require(source.value)
    try write(value)
    #expect(source.readCount == 3)
    let used = try environment.information().usedSizeInBytes
    for _ in 0..<3 { try write(value) }
    #expect(source.readCount == 3)
    #expect(try environment.information().usedSizeInBytes <= used + 16 << 10)
    #expect(try LargeValueTable(environment).totals() == (1, 2_500_000))
    try LargeValueTable(environment).check(value)
    environment.close()
  }

  /// What a source returns is compared with the reference, which a file that changes no longer gives.
  @Test func bytesThatTheReferenceDoesNotNameAreRefused() throws {
    let source = CountedBytes(LargeSample.bytes(1, 100_000))
    let other = try #require(LargeValue(LargeSample.bytes(2, 100_000)))
    let error = #expect(throws: StoreError.self) { try write(other.reading(from: source)) }
    #expect(error?.code == .inputOutput)
    #expect(try LargeValueTable(environment).totals() == (0, 0))
    environment.close()
  }

  private func write(_ value: LargeValue) throws {
    var transaction = try environment.beginWrite()
    try transaction.append(value)
    try transaction.commit()
  }
}

/// Bytes that count how often a piece of them was read.
private final class CountedBytes: LargeValueSource {
  private let bytes: [UInt8]
  private let count = Locked(0)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var readCount: Int { count.withLock { $0 } }
  var value: LargeValue? { LargeValue(bytes)?.reading(from: self) }

  func contains(_ value: LargeValue) throws -> Bool { value.equals(bytes) }

  func chunk(_ number: Int, of value: LargeValue) throws -> [UInt8] {
    count.withLock { $0 += 1 }
    let start = number * LargeValue.chunkSizeInBytes
    return Array(bytes[start..<(start + value.sizeOfChunk(number))])
  }
}
