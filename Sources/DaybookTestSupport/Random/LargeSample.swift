import Daybook
import DaybookModel

/// Large values for random tests: few, so that a history sets, shares and replaces the same ones, and barely large, so that
/// its runs stay short.
package enum LargeSample {
  /// Values of data; the last one has two pieces.
  package static let data = [65_537, 65_537, 70_001, (1 << 20) + 1].enumerated().map { number, size in
    bytes(UInt64(number), size)
  }

  /// Values of codable attributes, in canonical form.
  package static let json = ["x", "y"].map { letter in
    Array("[\"\(letter)\",\"\(String(repeating: letter, count: 65_537))\"]".utf8)
  }

  /// Returns bytes that follow from a number.
  package static func bytes(_ number: UInt64, _ size: Int) -> [UInt8] {
    var random = SeededRandom(seed: number)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + 8)
    while bytes.count < size { bytes.appendFixed(random.next()) }
    bytes.removeLast(bytes.count - size)
    return bytes
  }
}
