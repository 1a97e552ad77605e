import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime
import Foundation

/// Pending edits on top of a position of a store, saved as one commit or discarded.
///
///     let context = try store.makeContext()
///     let cake = try context.insert("Recipe", ["name": "Cake"])
///     try context.set(cake, ["servings": 8])
///     try context.undo()                                  // the servings; the cake is still there
///     try context.save(author: "editor")                  // one commit; `cancel()` would have left nothing
///
/// A context reads the store at its ``position`` with its own edits on top: only the verbs of ``ObjectReader`` that are
/// called on it, and ``liveResults(of:)``, return the edits. Later commits stay invisible until ``rebase(resolving:)`` or
/// ``save(_:resolving:)``, which also find the conflicts between them and the edits.
///
/// Each verb is a step that ``undo()`` undoes; ``edit(_:)`` makes one step of several verbs. Values are checked at
/// once; required values, required relationships and uniqueness only when the context is saved or previewed, so a form
/// may be incomplete while it is filled in.
///
/// A context on top of a context (``makeContext()``) saves into the one below it. As long as it has edits, the lower
/// one can be read but not changed.
///
/// A context may be used from any thread; a lock serializes the calls. It holds no transaction between two calls: the
/// edits, and what the store has changed since its position, are held in memory. If the store's changes outgrow
/// ``StoreOptions/viewOfPastLimitInBytes``, reading throws `expired`; saving and rebasing always work.
public final class EditingContext: @unchecked Sendable {
  /// The store or context that the edits are based on.
  enum Ground {
    case store(Store)
    case context(EditingContext)
  }

  let ground: Ground
  /// Protects all members below, and the members of its child contexts and results.
  ///
  /// All contexts on top of each other share it. It is the only recursive lock of a store: closures of the caller run
  /// while it is held, and they call the context.
  let lock: NSRecursiveLock

  /// The state that the edits are based on, for a context on a store.
  var base: EditingBase
  /// The changes that the edits made.
  var pending = Layer()
  var steps: [PendingStep] = []
  /// The large values of the edits, which contexts on top of each other share.
  let largeValues: LargeValueStage
  /// The undone steps; the last one is redone first.
  var undone: [PendingStep] = []
  /// How often the context's shown state has changed.
  var version = 0
  /// The changes that open results may not have applied yet; the last one leads to ``version``.
  var transitions: [EditingTransition] = []
  var followers: [EditingFollower] = []
  private var children: [Child] = []
  var isInUse = false

  private struct Child {
    weak var context: EditingContext?
  }

  init(on ground: Ground, base: EditingBase, lock: NSRecursiveLock) {
    self.ground = ground
    self.base = base
    self.lock = lock
    switch ground {
    case .store(let store): largeValues = LargeValueStage(over: LargeValueTable(store.files.journalEnvironment))
    case .context(let context): largeValues = context.largeValues
    }
  }

  /// The position of the store that the edits are on top of.
  public var position: Position { locked { root.base.position } }

  /// Whether there are edits to save.
  public var hasChanges: Bool { locked { !steps.isEmpty } }

  /// The store below.
  public var store: Store {
    switch ground {
    case .store(let store): store
    case .context(let context): context.store
    }
  }

  /// The lowest context, which is on a store.
  var root: EditingContext {
    switch ground {
    case .store: self
    case .context(let context): context.root
    }
  }

  func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// - Throws: `StoreError` with the code `busy` within an edit, and while another context on top of this one or beside
  ///   it has edits.
  func checkFree() throws {
    if isInUse {
      throw StoreError(.busy, "The context is being edited.", advice: "Use the transaction that the closure was given.")
    }
    try checkFree(but: nil)
    if case .context(let context) = ground { try context.checkFree(but: self) }
  }

  private func checkFree(but own: EditingContext?) throws {
    guard openChildren.contains(where: { $0 !== own && $0.isOpen }) else { return }
    throw StoreError(
      .busy, "Another context on top of this one has edits.", advice: "Save or cancel that one first.")
  }

  /// Whether it has edits to undo or redo, and so blocks other contexts.
  private var isOpen: Bool {
    !steps.isEmpty || !undone.isEmpty || isInUse || openChildren.contains { $0.isOpen }
  }

  /// The contexts on top of this one that still exist.
  var openChildren: [EditingContext] {
    children.removeAll { $0.context == nil }
    return children.compactMap(\.context)
  }

  /// Makes a context on top of this one: saving it adds one step here, which ``undo()`` undoes.
  public func makeContext() -> EditingContext {
    locked {
      let context = EditingContext(on: .context(self), base: root.base, lock: lock)
      children.append(Child(context: context))
      return context
    }
  }
}
