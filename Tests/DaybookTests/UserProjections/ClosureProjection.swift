import Daybook
import Synchronization

/// A projection with the code of a test.
struct ClosureProjection: Projection {
  typealias Body = @Sendable (borrowing RawEvent, borrowing ProjectionContext) throws -> Void

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

  func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
    try body(event, context)
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
