import DaybookModel
import DaybookQuery
import Foundation

/// Pending edits on top of a position of a store: a scratch pad that is saved as one commit, or leaves no trace.
///
///     let context = try store.makeContext()
///     let cake = try context.insert("Recipe", ["name": "Cake"])
///     try context.set(cake, ["servings": 8])
///     try context.undo()                                  // the servings; the cake is still there
///     try context.save(author: "editor")                  // one commit; `cancel()` would have left nothing
///
/// A context reads as the store was at its ``position``, with its own edits on top: `get`, `fetch` and `results(of:)` see
/// them, nobody else does. What others commit meanwhile is not seen until ``rebase(resolving:)``
/// or ``save(_:resolving:)``, which also find out where it conflicts with the edits.
///
/// Each verb is a step that ``undo()`` takes back; ``edit(_:)`` makes one step of several. Values are checked at once;
/// required values, required relationships and uniqueness only when the context is saved or previewed, so a form may be
/// incomplete while it is filled in.
///
/// A context on top of a context (``makeContext()``) saves into the one below it. As long as it has edits, the lower one
/// can be read and not changed.
///
/// A context may be used from any thread, one at a time goes through. It holds no transaction between two calls: the
/// edits, and what the store has changed since its position, are held in memory. If the latter outgrows
/// ``StoreOptions/viewOfPastLimitInBytes``, reading throws `expired`; saving and rebasing always work.
public final class EditingContext: @unchecked Sendable {
  /// Where the state lies that the edits are on top of.
  enum Ground {
    case store(Store)
    case context(EditingContext)
  }

  let ground: Ground
  /// Protects all members below, and those of the contexts and results that belong to this one: all contexts on top of
  /// each other share it. It may be taken again by who has it, as closures of the caller run inside.
  let lock: NSRecursiveLock

  /// What the edits are on top of, for a context on a store.
  var base: EditingBase
  /// What the edits changed.
  var pending = Layer()
  var steps: [PendingStep] = []
  /// What was undone, the next one to be done again at the end.
  var undone: [PendingStep] = []
  /// How often what the context shows has changed.
  var version = 0
  /// The changes that results which are open may not have taken in yet, the last one being that to ``version``.
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

  /// The lowest context.
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

  /// - Throws: `StoreError` with the code `busy` within an edit, and while another context on top of this one or beside it
  ///   has edits.
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

  /// Whether it has edits that stand or could be done again: one without is in nobody's way.
  private var isOpen: Bool {
    !steps.isEmpty || !undone.isEmpty || isInUse || openChildren.contains { $0.isOpen }
  }

  /// The contexts on top of this one that somebody holds.
  var openChildren: [EditingContext] {
    children.removeAll { $0.context == nil }
    return children.compactMap(\.context)
  }

  /// A context on top of this one: saving it makes one step of this one, which ``undo()`` takes back as a whole.
  public func makeContext() -> EditingContext {
    locked {
      let context = EditingContext(on: .context(self), base: root.base, lock: lock)
      children.append(Child(context: context))
      return context
    }
  }
}

extension Store {
  /// A context to edit in.
  ///
  /// - Parameter position: The state to edit; nil for the present one.
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, or 0; `closed`.
  /// - Complexity: O(1); for an earlier position that of reading it.
  public func makeContext(at position: Position? = nil) throws -> EditingContext {
    let base = try read { try EditingBase($0, at: position) }
    return EditingContext(on: .store(self), base: base, lock: NSRecursiveLock())
  }
}
