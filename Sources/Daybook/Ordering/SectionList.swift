/// The sections of a result in order, with the number of rows of each.
struct SectionList {
  private var keys = KeyList()
  private var entries: [[UInt8]: Entry] = [:]

  private struct Entry {
    let name: String
    var count: Int
  }

  /// How many sections there are.
  var count: Int { keys.count }

  /// How many rows a section has; 0 if there is none.
  func rowCount(of key: [UInt8]) -> Int { entries[key]?.count ?? 0 }

  func name(of key: [UInt8]) -> String? { entries[key]?.name }

  /// How many sections come before the place of this one, whether it is there or not.
  func rank(of key: [UInt8]) -> Int { keys.rank(of: key) }

  /// The key of the section of a number.
  subscript(number: Int) -> [UInt8] { keys[number] }

  /// Adds rows to a section, which comes with its first one, or takes them out; it goes with its last one.
  mutating func add(_ difference: Int, to key: [UInt8], named name: @autoclosure () throws -> String) rethrows {
    guard difference != 0 else { return }
    if let count = entries[key]?.count {
      entries[key]!.count = count + difference
      if count + difference == 0 {
        entries[key] = nil
        keys.remove(key)
      }
    } else {
      entries[key] = Entry(name: try name(), count: difference)
      keys.insert(key)
    }
  }
}
