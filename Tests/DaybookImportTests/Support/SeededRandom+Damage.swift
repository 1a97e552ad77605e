#if Import

import DaybookTestSupport

extension SeededRandom {
  /// Damages bytes: some are changed, removed, repeated or overwritten, or the rest is cut off.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    // Most often one fault, because a reader ends at the first one.
    for _ in 0..<pick([1, 1, 2, 4]) where !bytes.isEmpty { damage(&bytes, at: number(0..<bytes.count)) }
    return bytes
  }

  private mutating func damage(_ bytes: inout [UInt8], at place: Int) {
    let end = min(bytes.count, place + number(1...(isOneIn(2) ? 20 : 512)))
    switch number(0...7) {
    case 0: bytes.removeLast(bytes.count - place)
    case 1: bytes.remove(at: place)
    case 2: bytes[place] ^= 1 << UInt8(number(0...7))
    case 3: for _ in 0..<number(1...64) { bytes[number(0..<bytes.count)] = UInt8(number(0...255)) }
    case 4: bytes[place] = UInt8(number(0...255))
    case 5: bytes.replaceSubrange(place..<end, with: [UInt8](repeating: 0xff, count: end - place))
    case 6: bytes.insert(pick(Array("\",\n\r\0[]{}:\\<>&".utf8)), at: place)
    default: bytes.insert(contentsOf: bytes[place..<end], at: number(0...bytes.count))
    }
  }
}

#endif
