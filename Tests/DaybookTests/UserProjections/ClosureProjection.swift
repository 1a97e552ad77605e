import Daybook
import DaybookTestSupport
import Synchronization

/// A projection with the code of a test, which writes rows with a name, a number and data.
struct ClosureProjection: Projection {
  typealias Body = @Sendable (borrowing AppliedCommit, borrowing DerivedRows) throws -> Void

  let name: String
  let version: Int
  let mode: ProjectionMode
  let onFailure: ProjectionFailurePolicy
  private let body: Body

  init(
    _ name: String = "mine", version: Int = 1, mode: ProjectionMode = .catchUp,
    onFailure: ProjectionFailurePolicy = .stop, _ body: @escaping Body
  ) {
    self.name = name
    self.version = version
    self.mode = mode
    self.onFailure = onFailure
    self.body = body
  }

  /// Returns the name of the entity of a projection, so that a store can have several.
  static func entity(of projection: String) -> String { "\(projection)Row" }

  var entities: [DerivedEntity] {
    [
      DerivedEntity(
        Entity(
          name: ClosureProjection.entity(of: name),
          attributes: [
            Attribute(name: "name", type: .string),
            Attribute(name: "number", type: .integer, defaultValue: .integer(0)),
            Attribute(name: "data", type: .data, isOptional: true),
          ]),
        key: ["name"])
    ]
  }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    try body(commit, rows)
  }
}

extension DerivedRows {
  /// Adds to the number of a row of a ``ClosureProjection``.
  func add(_ number: Int = 1, to name: String, of projection: String = "mine") throws {
    try update(ClosureProjection.entity(of: projection), key: [.string(name)]) {
      $0["number"] = .integer(try $0.integer("number") + Int64(number))
    }
  }
}

extension AppliedCommit {
  /// Returns the names with which objects were inserted, in the order of the events.
  func insertedNames() throws -> [String] {
    try events().compactMap { event in
      guard case .inserted(let fields, _) = event.content,
        case .string(let name)? = fields.first(where: { $0.name == "name" })?.value
      else { return nil }
      return name
    }
  }
}

extension Store {
  /// Returns the numbers of the rows of a ``ClosureProjection``, by their names.
  func numbers(of projection: String = "mine") throws -> [String: Int] {
    let rows = try fetch(Request<StoredObject>(entity: ClosureProjection.entity(of: projection))).rows
    return try rows.reduce(into: [:]) { numbers, row in
      guard case .string(let name) = row["name"], case .integer(let number) = row["number"],
        numbers.updateValue(Int(number), forKey: name) == nil
      else { throw Mismatch("\(row) is no row") }
    }
  }

  /// Returns the last commit that a projection has applied.
  func checkpoint(of projection: String) throws -> Position? {
    try projections().first { $0.name == projection }?.checkpoint
  }
}

/// A value that tests change while projections run.
final class Shared<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) { self.value = Mutex(value) }

  var now: Value {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }

  func change(_ body: (inout Value) -> Void) {
    value.withLock { body(&$0) }
  }
}

extension StoreOptions {
  /// Returns options with projections that apply new commits only on demand.
  static func knowing(_ projections: any Projection...) -> StoreOptions {
    var options = StoreOptions()
    options.projections = projections
    options.followsProjections = false
    return options
  }
}
