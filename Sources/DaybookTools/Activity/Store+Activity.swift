import Daybook
import DaybookModel

extension Store {
  /// Returns the activity that ``ActivityProjection`` has counted.
  ///
  /// The projection must be among the projections of the options; commits that it has not counted are applied first, in
  /// memory alone while another writer has the lock.
  ///
  /// - Parameters:
  ///   - author: The author whose commits are included; `nil` for all.
  ///   - entity: The entity whose events, and commits with such events, are included; `nil` for all.
  ///   - first: The first day, such as `2026-01-02`; `nil` for the first day with commits.
  ///   - last: The last day; `nil` for the last day with commits.
  ///   - progress: Called while commits are applied.
  /// - Throws: `StoreError`: `notFound` if the process does not know the projection, or the model has no such entity;
  ///   `badValue` for a text that is no day.
  /// - Complexity: O(*n*) for *n* days, authors and entities in the span.
  package func activity(
    author: String? = nil, entity: String? = nil, from first: String? = nil, to last: String? = nil,
    progress: ((StoreProgress) throws -> Void)? = nil
  ) throws -> Activity {
    let model = try read { $0.resolvedModel }
    let wanted = try entity.map { model.entities[try model.requireEntity($0)].tag.number }
    let (start, end) = (try first.map(Store.dayNumber) ?? .min, try last.map(Store.dayNumber) ?? .max)
    return try projection(ActivityProjection().name).readAtHead(progress: progress) { reader in
      var collector = ActivityCollector(EventNames(model), author: author, entity: wanted)
      if start <= end { try collector.collect(start...end, reader) }
      return Activity(position: reader.position, entries: collector.entries)
    }
  }

  private static func dayNumber(_ text: String) throws -> Int {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard parts.count == 3, let day = CivilDate(year: parts[0], month: parts[1], day: parts[2]), day.dayText == text
    else { throw StoreError(.badValue, "“\(text)” is not a date.", advice: "Give one such as 2026-01-02.") }
    return day.daysSince1970
  }
}

/// Combines the cells of the projection into entries.
private struct ActivityCollector {
  private let names: EventNames
  private let author: String?
  private let entity: UInt16?
  private var authors: [UInt32: String?] = [0: nil]
  private var key: ActivityKey?
  private var total = Activity.Amount()
  private var parts: [(entity: String, amount: Activity.Amount)] = []
  private(set) var entries: [Activity.Entry] = []

  init(_ names: EventNames, author: String?, entity: UInt16?) {
    self.names = names
    self.author = author
    self.entity = entity
  }

  mutating func collect(_ days: ClosedRange<Int>, _ reader: borrowing ProjectionReader) throws {
    var cells: [(ActivityKey, ActivityCell)] = []
    try reader.scan(from: ActivityKey.start(of: days.lowerBound), in: "cells") { key, value in
      let key = try ActivityKey(key)
      if key.day > days.upperBound { return false }
      cells.append((key, try ActivityCell(value)))
      return true
    }
    for (key, cell) in cells { try add(key, cell, reader) }
    finish()
  }

  private mutating func add(
    _ key: ActivityKey, _ cell: ActivityCell, _ reader: borrowing ProjectionReader
  ) throws {
    if authors[key.author] == nil {
      var number: [UInt8] = []
      number.appendFixed(key.author)
      authors[key.author] = try reader.get(number, in: "authors").map { String(decoding: $0, as: UTF8.self) }
    }
    if key.day != self.key?.day || key.author != self.key?.author { finish() }
    self.key = key
    let amount = Activity.Amount(commits: Int(cell.commits), events: Int(cell.events))
    if key.entity == entity ?? 0 { total = amount }
    if key.entity != 0, entity == nil || key.entity == entity {
      parts.append((try names.entity(Tag(key.entity)).name, amount))
    }
  }

  /// Ends the entry of a day and an author.
  private mutating func finish() {
    defer { (total, parts) = (Activity.Amount(), []) }
    guard let key, total.commits > 0 else { return }
    let name = authors[key.author] ?? nil
    if let author, author != name { return }
    entries.append(
      Activity.Entry(
        day: CivilDate(daysSince1970: key.day).dayText, author: name, amount: total,
        entities: parts.sorted { $0.entity < $1.entity }, dayNumber: key.day))
  }
}
