import Daybook
import DaybookModel

/// A projection with typed tables: how often each name was set, by name and by author and name.
struct LedgerProjection: Projection {
  struct Count: CodableValue, Equatable {
    var times = 0
    var last = ""
  }

  struct AuthorName: TableKey, Hashable, Comparable {
    let author: String?
    let name: String

    static let keyTypes: [AttributeType] = [.string, .string]

    init(author: String?, name: String) { (self.author, self.name) = (author, name) }

    init(keyValues: [Value]) throws {
      (author, name) = (try String?(storedValue: keyValues[0]), try String(storedValue: keyValues[1]))
    }

    func keyValues() -> [Value] { [author.scalarValue, name.scalarValue] }

    static func < (a: AuthorName, b: AuthorName) -> Bool {
      let (first, second) = (a.author.map { Array($0.utf8) }, b.author.map { Array($0.utf8) })
      if first == second { return a.name.utf8.lexicographicallyPrecedes(b.name.utf8) }
      guard let first else { return true }
      return second.map { first.lexicographicallyPrecedes($0) } ?? false
    }
  }

  static let byName = ProjectedTable<String, Count>("by-name")
  static let byAuthor = ProjectedTable<AuthorName, Int>("by-author")

  let name = "ledger"
  var version = 1
  var mode = ProjectionMode.catchUp
  var onFailure = ProjectionFailurePolicy.quarantine
  var isDeterministic = true
  /// The number that is added for each event.
  var weight: @Sendable () -> Int = { 1 }
  /// Whether the projection throws for a name.
  var refuses: @Sendable (String) -> Bool = { $0.hasPrefix("bad") }

  struct Refusal: Error {}

  func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
    let event = try context.event(event)
    guard let (old, new) = LedgerProjection.names(event) else { return }
    if let old {
      try context.update(old, in: LedgerProjection.byName) { count in
        count?.times -= 1
        if count?.times == 0 { count = nil }
      }
    }
    guard let new else { return }
    let (added, author) = (weight(), context.commit.author)
    try context.update(new, in: LedgerProjection.byName) { count in
      count = Count(times: (count?.times ?? 0) + 1, last: author ?? "")
    }
    try context.update(AuthorName(author: author, name: new), in: LedgerProjection.byAuthor) { $0 = ($0 ?? 0) + added }
    if refuses(new) { throw Refusal() }
  }

  /// Returns the name before an event of a tag and the name after it, or `nil` if the event does not change it.
  static func names(_ event: Event) -> (old: String?, new: String?)? {
    switch event.content {
    case .inserted(let fields, _): (nil, name(in: fields))
    case .renamed(let change): (text(change.old), text(change.new))
    case .deleted(let fields, _): (name(in: fields), nil)
    default: nil
    }
  }

  private static func name(in fields: [Event.Field]) -> String? {
    text(fields.first { $0.name == "name" }?.value)
  }

  private static func text(_ value: Value?) -> String? {
    if case .string(let text) = value { text } else { nil }
  }
}
