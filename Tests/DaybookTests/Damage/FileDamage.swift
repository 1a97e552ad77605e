import DaybookTestSupport
import Foundation

@testable import Daybook
@testable import DaybookRuntime

/// Damages the data file of an LMDB environment in place, while it may be open.
///
/// It finds the bytes of rows in the file by its own walk.
struct FileDamage {
  /// The offsets of some bytes, with their table.
  struct Place {
    let table: String
    let bytes: Range<Int>
  }

  let file: String
  private static let pageSize = 4_096

  /// Returns the keys and values in the tables of the newest commit.
  func rows(where isIncluded: (_ table: String) -> Bool) throws -> [Place] {
    var walk = RowWalk(try contents())
    walk.run()
    return walk.places.filter { isIncluded($0.table) }
  }

  /// Flips a random bit of one of the places.
  ///
  /// - Returns: A description, or `nil` if there is no byte to damage.
  func flip(_ places: [Place], _ random: inout SeededRandom) throws -> String? {
    guard !places.isEmpty else { return nil }
    let place = random.pick(places)
    let offset = random.number(place.bytes.lowerBound...(place.bytes.upperBound - 1))
    try flip(at: offset, bit: random.number(0...7))
    return "\(place.table): byte \(offset)"
  }

  /// Flips a bit of the file.
  func flip(at offset: Int, bit: Int) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
    defer { try? handle.close() }
    try handle.seek(toOffset: UInt64(offset))
    guard let byte = try handle.read(upToCount: 1)?.first else { return }
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: [byte ^ (1 << UInt8(bit))])
  }

  func contents() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))) }

  /// Walks the trees from the newest meta page.
  private struct RowWalk {
    let bytes: [UInt8]
    var places: [Place] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func run() {
      let isSecondNewer = number(pageSize + 144, 8) > number(144, 8)
      visit(page: number((isSecondNewer ? pageSize : 0) + 128, 8), table: nil)
    }

    /// - Parameter table: The table, or `nil` in the tree of the tables' names.
    private mutating func visit(page: Int, table: String?) {
      let start = page &* pageSize
      guard page > 1, start >= 0, start + pageSize <= bytes.count else { return }
      let isBranch = number(start + 10, 2) & 1 != 0
      for index in 0..<max(0, number(start + 12, 2) - 16) / 2 {
        let node = start + number(start + 16 + 2 * index, 2)
        if isBranch {
          visit(page: number(node, 4) | number(node + 4, 2) << 32, table: table)
        } else {
          visit(node: node, table: table)
        }
      }
    }

    private mutating func visit(node: Int, table: String?) {
      let (size, flags, keySize) = (number(node, 4), number(node + 4, 2), number(node + 6, 2))
      let key = node + 8..<node + 8 + keySize
      guard let table else {
        if flags & 2 != 0, key.upperBound + 48 <= bytes.count {
          visit(page: number(key.upperBound + 40, 8), table: String(decoding: bytes[key], as: UTF8.self))
        }
        return
      }
      places.append(Place(table: table, bytes: key))
      // A long value has its own pages.
      let value = flags & 1 != 0 ? number(key.upperBound, 8) &* pageSize + 16 : key.upperBound
      if size > 0, value + size <= bytes.count { places.append(Place(table: table, bytes: value..<value + size)) }
    }

    private func number(_ offset: Int, _ size: Int) -> Int {
      guard offset >= 0, offset + size <= bytes.count else { return 0 }
      return (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }

    private var pageSize: Int { FileDamage.pageSize }
  }
}
