/// The sections of a result in order, with the number of rows of each.
struct SectionCounts {
  /// The keys of the sections.
  private(set) var keys = SortedKeys()
  private var entries: [[UInt8]: Entry] = [:]

  private struct Entry {
    let name: String
    var count: Int
  }

  /// Returns the number of rows of a section; 0 if it does not exist.
  func rowCount(of key: [UInt8]) -> Int { entries[key]?.count ?? 0 }

  func name(of key: [UInt8]) -> String? { entries[key]?.name }

  /// Changes the number of a section's rows; inserts the section or removes it if empty.
  mutating func add(_ difference: Int, to key: [UInt8], named name: @autoclosure () throws -> String) rethrows {
    guard difference != 0 else { return }
    if var entry = entries[key] {
      entry.count += difference
      entries[key] = entry.count == 0 ? nil : entry
      if entry.count == 0 { keys.remove(key) }
    } else {
      entries[key] = Entry(name: try name(), count: difference)
      keys.insert(key)
    }
  }
}
