/// The number of entries in a range of keys, and how many of their keys are long.
package struct EntryCount: Hashable, Sendable {
  package var all: Int
  /// The number of entries whose keys have at least a size that the caller has chosen.
  package var long: Int

  package static let zero = EntryCount(all: 0, long: 0)

  package init(all: Int, long: Int) {
    self.all = all
    self.long = long
  }

  package static func += (count: inout EntryCount, other: EntryCount) {
    count.all &+= other.all
    count.long &+= other.long
  }

  package static func - (a: EntryCount, b: EntryCount) -> EntryCount {
    EntryCount(all: a.all &- b.all, long: a.long &- b.long)
  }
}
