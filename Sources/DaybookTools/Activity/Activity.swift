import Daybook
import DaybookModel

/// The numbers of commits and events by day, author and entity, up to a position.
package struct Activity: Hashable, Sendable {
  /// The numbers of commits and events.
  package struct Amount: Hashable, Sendable {
    /// The number of commits.
    package var commits = 0
    /// The number of events.
    package var events = 0

    mutating func add(_ other: Amount) {
      commits &+= other.commits
      events &+= other.events
    }
  }

  /// The activity of one author on one day.
  package struct Entry: Hashable, Sendable {
    /// The day in UTC, such as `2026-01-02`.
    package let day: String
    /// The author; `nil` for commits without an author.
    package let author: String?
    /// The numbers of commits and events.
    package let amount: Amount
    /// The numbers by the entity's present name, in ascending order of names.
    ///
    /// A commit counts for each entity of which it has events. The name of an entity that the model has removed is
    /// followed by its tag, as in `Note#5`.
    package let entities: [(entity: String, amount: Amount)]

    /// Days since 1970-01-01.
    package let dayNumber: Int

    package static func == (a: Entry, b: Entry) -> Bool {
      a.day == b.day && a.author == b.author && a.amount == b.amount
        && a.entities.elementsEqual(b.entities) { $0 == $1 }
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(day)
      hasher.combine(author)
      hasher.combine(amount)
    }
  }

  /// The last commit that was counted.
  package let position: Position
  /// The entries by day; on each day in the order of the authors' first commits.
  package let entries: [Entry]

  /// The total of all entries.
  package var total: Amount { entries.reduce(into: Amount()) { $0.add($1.amount) } }

  /// The numbers by author, with the most commits first, then by name.
  package var authors: [(author: String?, amount: Amount)] {
    Self.ranked(entries.map { ($0.author, $0.amount) }) { ($0 ?? "") < ($1 ?? "") }
  }

  /// The numbers by entity, with the most events first, then by name.
  package var entities: [(entity: String, amount: Amount)] {
    var amounts: [String: Amount] = [:]
    for (entity, amount) in entries.flatMap(\.entities) { amounts[entity, default: Amount()].add(amount) }
    return amounts.sorted { ($1.value.events, $0.key) < ($0.value.events, $1.key) }.map { ($0.key, $0.value) }
  }

  /// The numbers by day, without the days that have no commits.
  package var days: [(day: Int, amount: Amount)] {
    var days: [(day: Int, amount: Amount)] = []
    for entry in entries {
      if days.last?.day != entry.dayNumber { days.append((entry.dayNumber, Amount())) }
      days[days.count - 1].amount.add(entry.amount)
    }
    return days
  }

  private static func ranked(
    _ parts: [(String?, Amount)], by precedes: (String?, String?) -> Bool
  ) -> [(author: String?, amount: Amount)] {
    var amounts: [String?: Amount] = [:]
    for (author, amount) in parts { amounts[author, default: Amount()].add(amount) }
    return amounts.sorted { a, b in
      a.value.commits != b.value.commits ? a.value.commits > b.value.commits : precedes(a.key, b.key)
    }.map { ($0.key, $0.value) }
  }
}

extension Activity {
  package var json: JSONValue {
    [
      "position": .integer(Int64(clamping: position.number)), "commits": .integer(Int64(total.commits)),
      "events": .integer(Int64(total.events)), "days": .array(entries.map(\.json)),
    ]
  }
}

extension Activity {
  /// The authors in ``sums``; a store may have many.
  private static let mostAuthors = 100

  /// The sums by day, and by author for those with the most commits.
  package var sums: JSONValue {
    let days = days.map { Activity.sum("day", .string(CivilDate(daysSince1970: $0.day).dayText), $0.amount) }
    let authors = authors.prefix(Activity.mostAuthors).map { author, amount in
      Activity.sum("author", author.map { .string($0) } ?? .null, amount)
    }
    return [
      "position": .integer(Int64(clamping: position.number)), "commits": .integer(Int64(total.commits)),
      "events": .integer(Int64(total.events)), "days": .array(days), "authors": .array(authors),
    ]
  }

  private static func sum(_ name: String, _ value: JSONValue, _ amount: Amount) -> JSONValue {
    .object([
      (name, value), ("commits", .integer(Int64(amount.commits))), ("events", .integer(Int64(amount.events))),
    ])
  }
}

extension Activity.Entry {
  fileprivate var json: JSONValue {
    [
      "day": .string(day), "author": author.map { .string($0) } ?? .null, "commits": .integer(Int64(amount.commits)),
      "events": .integer(Int64(amount.events)),
      "entities": .object(
        entities.map {
          ($0.entity, ["commits": .integer(Int64($0.amount.commits)), "events": .integer(Int64($0.amount.events))])
        }),
    ]
  }
}
