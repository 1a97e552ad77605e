import Foundation

/// The records that all contestants write, made once and before any clock runs.
final class Workload: Sendable {
  /// How timestamps lie to the order of writing.
  enum TimestampOrder: String, CaseIterable, Codable, Sendable {
    case rising, scattered
  }

  static let categoryCount = 100

  let categories: [UUID]
  let records: [Record]

  /// The indices of the records in the order of the sorted view. Timestamps are unique, so they alone decide.
  let indexOrder: [Int]

  init(count: Int, timestamps order: TimestampOrder) {
    var random = SplitMix64(seed: 1)
    let categories = (0..<Self.categoryCount).map { UUID(version7Number: $0, random: random.next()) }
    var timestamps = (0..<count).map {
      timestampOfFirstRecord + Int64($0) * 1000 + Int64.random(in: 0..<1000, using: &random)
    }
    if order == .scattered { timestamps.shuffle(using: &random) }
    self.categories = categories
    records = timestamps.enumerated().map { index, timestamp in
      Record(
        id: UUID(version7Number: 1_000_000 + index, random: random.next()), name: randomName(using: &random),
        timestamp: timestamp, categoryID: categories[Int.random(in: 0..<Self.categoryCount, using: &random)],
        isDone: Bool.random(using: &random))
    }
    indexOrder = records.indices.sorted { timestamps[$0] < timestamps[$1] }
  }

  /// No timestamp of a record or of an update is before this one.
  var firstTimestamp: Int64 { timestampOfFirstRecord }

  /// What the records hold: ids, names, timestamps, categories and flags.
  var payloadSizeInBytes: Int {
    records.reduce(0) { $0 + 16 + $1.name.utf8.count + 8 + 16 + 1 }
  }

  /// Updates of records anywhere, each to anywhere in the view; the same ones for the same round.
  func updates(count: Int, round: Int) -> [Update] {
    // The warm-up round is -1.
    updates(count: count, amongFirst: records.count, seed: UInt64(round + 1000))
  }

  /// Updates of the first so many records.
  func updates(count: Int, amongFirst recordCount: Int, seed: UInt64 = 4000) -> [Update] {
    var random = SplitMix64(seed: seed)
    let end = firstTimestamp + Int64(records.count) * 1000
    return (0..<count).map { _ in
      Update(
        id: records[Int.random(in: 0..<recordCount, using: &random)].id, name: randomName(using: &random),
        timestamp: Int64.random(in: firstTimestamp..<end, using: &random))
    }
  }

  /// Offsets in the middle half of the view; the same ones for the same round, however many are taken.
  func middleOffsets(count: Int, round: Int) -> [Int] {
    var random = SplitMix64(seed: UInt64(round + 2000))
    let quarter = records.count / 4
    return (0..<count).map { _ in Int.random(in: quarter...(records.count - 1 - quarter), using: &random) }
  }
}

/// The first of 2025.
private let timestampOfFirstRecord: Int64 = 1_735_689_600_000_000

private func randomName(using random: inout SplitMix64) -> String {
  String(unsafeUninitializedCapacity: 24) { buffer in
    for index in 0..<24 { buffer[index] = UInt8(ascii: "a") + UInt8(random.next() % 26) }
    return 24
  }
}

extension UUID {
  /// A version 7 identity of the `number`th thing: a thousand to each millisecond, counted within it.
  fileprivate init(version7Number number: Int, random: UInt64) {
    let milliseconds = UInt64(timestampOfFirstRecord / 1000) + UInt64(number / 1000)
    let high = milliseconds << 16 | 0x7000 | UInt64(number % 1000)
    let low = random & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    self = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }
}
