import Daybook
import DaybookModel
import DaybookQuery

extension Store {
  /// Returns the activity that ``ActivityProjection`` has counted.
  ///
  /// The projection must be among the projections of the options. Commits that it has not counted are applied first. While
  /// another writer has the lock, the activity is the one up to the projection's checkpoint.
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
    let tag = try entity.map { Int64(model.entities[try model.requireEntity($0)].tag.number) }
    let (start, end) = (try first.map(Store.dayNumber), try last.map(Store.dayNumber))
    let (requests, days) = (ActivityCollector.requests(from: first, to: last), (start ?? .min, end ?? .max))
    return try projection(ActivityProjection().name).readAtHead(progress: progress) { fetch in
      var collector = ActivityCollector(days: days, author: author, entity: tag)
      var position = Position.empty
      for request in requests {
        let found = try fetch(request)
        position = found.position
        for row in found.rows { try collector.add(row) }
      }
      return Activity(position: position, entries: collector.finish())
    }
  }

  fileprivate static func dayNumber(_ text: String) throws -> Int {
    let isBeforeYear0 = text.hasPrefix("-")
    let parts = text.dropFirst(isBeforeYear0 ? 1 : 0).split(separator: "-", omittingEmptySubsequences: false)
      .compactMap { Int($0) }
    guard parts.count == 3,
      let day = CivilDate(year: isBeforeYear0 ? -parts[0] : parts[0], month: parts[1], day: parts[2]),
      day.dayText == text
    else { throw StoreError(.badValue, "“\(text)” is not a date.", advice: "Give one such as 2026-01-02.") }
    return day.daysSince1970
  }
}

/// Combines the objects of the projection into entries.
private struct ActivityCollector {
  /// The first and the last day that are included.
  private let days: (first: Int, last: Int)
  private let author: String?
  private let entity: Int64?
  private var day: (text: String, number: Int)?
  private var authorNumber: Int64?
  private var authorName: String?
  private var total = Activity.Amount()
  private var parts: [(entity: String, amount: Activity.Amount)] = []
  private var entries: [Activity.Entry] = []

  init(days: (first: Int, last: Int), author: String?, entity: Int64?) {
    (self.days, self.author, self.entity) = (days, author, entity)
  }

  /// Returns the requests for the objects of a span of days, in the order in which they are added.
  ///
  /// The text of a year before 0 or after 9999 begins with a sign: such days are before all others in the order of texts,
  /// and are requested whatever the span is.
  static func requests(from first: String?, to last: String?) -> [FetchRequest] {
    let firstPlain = "0"
    let start = max(first ?? firstPlain, firstPlain)
    var plain = [Filter(.path("day"), .greaterOrEqual, .value(.string(start)))]
    if let last, last >= firstPlain { plain.append(Filter(.path("day"), .lessOrEqual, .value(.string(last)))) }
    return [Filter(.path("day"), .less, .value(.string(firstPlain))), .all(plain)].map {
      FetchRequest(
        entity: "@ActivityDay", filter: $0,
        sort: ["day", "authorNumber", "entityTag"].map { SortTerm(path: [$0]) })
    }
  }

  /// Adds an object; the objects of a day and an author follow each other.
  mutating func add(_ row: StoredObject) throws {
    guard case .string(let text) = row["day"] else { throw StoreError(.damaged, "\(row.id) has no day.") }
    if text != day?.text || row["authorNumber"].integer != authorNumber {
      finishEntry()
      day = (text, try Store.dayNumber(text))
      (authorNumber, authorName) = (row["authorNumber"].integer, row["author"].text)
    }
    let amount = Activity.Amount(
      commits: Int(row["commits"].integer ?? 0), events: Int(row["events"].integer ?? 0))
    let tag = row["entityTag"].integer
    if tag == entity { total = amount }
    if let tag, entity == nil || tag == entity { parts.append((row["entity"].text ?? "", amount)) }
  }

  /// Ends the entry of a day and an author.
  private mutating func finishEntry() {
    defer { (total, parts) = (Activity.Amount(), []) }
    guard let day, total.commits > 0, days.first <= day.number, day.number <= days.last else { return }
    if let author, author != authorName { return }
    entries.append(
      Activity.Entry(
        day: day.text, author: authorName, amount: total, entities: parts.sorted { $0.entity < $1.entity },
        dayNumber: day.number))
  }

  /// Returns the entries by day.
  mutating func finish() -> [Activity.Entry] {
    finishEntry()
    // The entries of a day keep their order, which is by the numbers of the authors.
    return entries.enumerated().sorted { ($0.element.dayNumber, $0.offset) < ($1.element.dayNumber, $1.offset) }
      .map(\.element)
  }
}

private extension Value {
  var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
  var text: String? { if case .string(let text) = self { text } else { nil } }
}
