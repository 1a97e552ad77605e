#if Import

import DaybookModel

/// The order of objects by their times, in which no object is before one that it requires.
///
///     var order = TimeOrder()
///     order.add(yesterday, of: list, requiring: [])
///     order.add(lastYear, of: item, requiring: [list])
///     order.commits          // [(yesterday, [list]), (lastYear, [item])]
///
/// Objects without a time come first. Objects with one time are together, unless what they require separates them.
struct TimeOrder {
  /// The objects that one commit inserts.
  struct Commit: Equatable {
    /// Their time, or `nil` for the time of the import.
    let time: Timestamp?
    /// Their numbers, in the order in which they were added.
    var objects: [Int]
    /// Whether they may be in several commits, because none requires a later one.
    var isDivisible = true
  }

  /// The place of an object in the order; `nil` is before all times.
  private struct Entry: Equatable {
    /// The latest of its time and the times of all that it requires.
    let earliest: Timestamp?
    /// The number of commits between this time and its own.
    let level: Int
    let time: Timestamp?
    let isDivisible: Bool
  }

  private var entries: [Entry] = []
  private var numbers: [ObjectID: Int] = [:]

  /// Adds an object.
  ///
  /// - Parameter required: Objects that were added before; others have no meaning.
  mutating func add(_ time: Timestamp?, of id: ObjectID, requiring required: [ObjectID]) {
    add(time, [id], required, isDivisible: true)
  }

  /// Adds objects without a time that require each other, and so are inserted by one commit.
  ///
  /// - Parameter required: What any of them requires; objects that were not added before have no meaning.
  mutating func add(_ ids: [ObjectID], requiring required: Set<ObjectID>) {
    add(nil, ids, Array(required), isDivisible: false)
  }

  private mutating func add(_ time: Timestamp?, _ ids: [ObjectID], _ required: [ObjectID], isDivisible: Bool) {
    let others = required.compactMap { numbers[$0] }.map { entries[$0] }
    let earliest = others.reduce(time) { TimeOrder.later($0, $1.earliest) }
    let levels = others.filter { $0.earliest == earliest }.map { other in
      other.time == time && other.isDivisible == isDivisible ? other.level : other.level + 1
    }
    let entry = Entry(earliest: earliest, level: levels.max() ?? 0, time: time, isDivisible: isDivisible)
    for id in ids {
      numbers[id] = entries.count
      entries.append(entry)
    }
  }

  private static func later(_ a: Timestamp?, _ b: Timestamp?) -> Timestamp? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
  }

  /// The commits in their order.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects.
  var commits: [Commit] {
    func isBefore(_ a: Timestamp?, _ b: Timestamp?) -> Bool? {
      if a == b { return nil }
      guard let a, let b else { return a == nil }
      return a < b
    }
    let sorted = entries.indices.sorted { a, b in
      let (first, second) = (entries[a], entries[b])
      if let isBefore = isBefore(first.earliest, second.earliest) { return isBefore }
      if first.level != second.level { return first.level < second.level }
      if let isBefore = isBefore(first.time, second.time) { return isBefore }
      return first.isDivisible == second.isDivisible ? a < b : first.isDivisible
    }
    var commits: [Commit] = []
    var last: Int?
    for number in sorted {
      if let last, entries[last] == entries[number] {
        commits[commits.count - 1].objects.append(number)
      } else {
        let entry = entries[number]
        commits.append(Commit(time: entry.time, objects: [number], isDivisible: entry.isDivisible))
      }
      last = number
    }
    return commits
  }
}

#endif
