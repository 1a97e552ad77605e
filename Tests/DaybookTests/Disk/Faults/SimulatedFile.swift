import DaybookTestSupport

/// A file on a disk that may lose power: its flushed contents and its later writes.
struct SimulatedFile {
  private static let sectorSize = 512

  private var flushed: [UInt8] = []
  /// The writes to each sector since the last flush, in order.
  private var pending: [Int: [(offset: Int, bytes: ArraySlice<UInt8>)]] = [:]
  private var pendingSize: Int?

  /// Whether the contents survive a loss of power.
  var isFlushed: Bool { pending.isEmpty && pendingSize == nil }

  mutating func write(_ bytes: [UInt8], at offset: Int) {
    var done = 0
    while done < bytes.count {
      let place = offset + done
      let sector = place / Self.sectorSize
      let count = min(bytes.count - done, (sector + 1) * Self.sectorSize - place)
      pending[sector, default: []].append((place, bytes[done..<(done + count)]))
      done += count
    }
  }

  mutating func resize(to size: Int) { pendingSize = size }

  mutating func flush() {
    flushed = contents { _ in .max }
    pending = [:]
    pendingSize = nil
  }

  /// Returns the contents after a loss of power: each sector in a state since the flush.
  ///
  /// - Parameter percent: The percentage of sectors with their last state.
  func afterPowerCut(keeping percent: Int, _ random: inout SeededRandom) -> [UInt8] {
    contents { count in random.isTrue(percent: percent) ? count : random.number(0...(count - 1)) }
  }

  /// Returns the bytes with some of the pending writes.
  ///
  /// - Parameter kept: Returns how many of a sector's writes are present.
  private func contents(_ kept: (Int) -> Int) -> [UInt8] {
    var bytes = flushed
    if let pendingSize, kept(1) > 0 {
      bytes = Array(bytes.prefix(pendingSize)) + [UInt8](repeating: 0, count: max(0, pendingSize - bytes.count))
    }
    for (_, writes) in pending.sorted(by: { $0.key < $1.key }) {
      for write in writes.prefix(kept(writes.count)) {
        let end = write.offset + write.bytes.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(write.offset..<end, with: write.bytes)
      }
    }
    return bytes
  }
}
