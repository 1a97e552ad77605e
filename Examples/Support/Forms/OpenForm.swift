import DaybookMacros
import DaybookModel
import DaybookServer
import DaybookTools

/// A form that a page has open: an editing context, and the streams that show it.
final class OpenForm: Sendable {
  let id: String
  let form: Form
  let model: Model
  let context: EditingContext
  let object: ObjectID
  let isNew: Bool
  /// The steps that made the object of a new form, which the form does not undo.
  let firstSteps: Int

  private struct State {
    /// The lists whose order is held.
    var held: Set<String>
    var conflicts: [EditingConflict] = []
    var streams: [ObjectIdentifier: FormStream] = [:]
    var lastUse: ContinuousClock.Instant
    /// Since when no stream shows the form; `nil` while one does.
    var leftAt: ContinuousClock.Instant?
  }

  private let state: Locked<State>
  /// Held while an edit is performed and noted, and while the form's state is computed: a record has an edit and its
  /// number, or neither. Never taken while `state` is held.
  private let edits: Locked<FormEdits>

  /// Opens a form for an object, or for a new one.
  ///
  /// - Parameters:
  ///   - object: The object; `nil` for a new one, which is pending until the form is saved.
  ///   - input: What the page sent for a new object.
  ///   - now: The present time.
  init(
    _ form: Form, of model: Model, in store: Store, object: ObjectID?, _ input: Input, at now: ContinuousClock.Instant
  ) throws {
    context = try store.makeContext()
    if let object {
      guard try context.get(object)?.entity == form.entity else {
        throw StoreError(.notFound, "There is no \(form.entity) \(object).", advice: .readHistory)
      }
    }
    self.object = try object ?? form.insert(in: context, input)
    (isNew, firstSteps) = (object == nil, context.stepCount)
    (self.form, self.model, id) = (form, model, RandomToken.make())
    state = Locked(State(held: [], lastUse: now, leftAt: now))
    edits = Locked(FormEdits())
  }

  /// Opens a form again from the record of a page, under its former name.
  ///
  /// A step that cannot be repeated, such as one with a large value that the store lacks, is left out.
  ///
  /// - Parameters:
  ///   - refused: Receives the error of each step that is left out.
  ///   - now: The present time.
  /// - Throws: `StoreError` with the code `notFound` if the store lacks the position of the record, or the object there.
  init(
    _ form: Form, of model: Model, in store: Store, id: String, again record: FormRecord,
    at now: ContinuousClock.Instant,
    refused: (any Error) -> Void
  ) throws {
    context = try store.makeContext(at: record.position)
    for step in record.steps {
      do { try context.perform(recorded: step) } catch { refused(error) }
    }
    guard try context.get(record.object).map({ $0.entity == form.entity }) ?? false else {
      throw StoreError(.notFound, "There is no \(form.entity) \(record.object).", advice: .readHistory)
    }
    (object, isNew, firstSteps) = (record.object, record.isNew, record.isNew ? 1 : 0)
    (self.form, self.model, self.id) = (form, model, id)
    state = Locked(State(held: record.held, lastUse: now, leftAt: now))
    edits = Locked(FormEdits(record.numbers))
  }

  // MARK: - Edits

  var conflicts: [EditingConflict] { state.withLock { $0.conflicts } }

  /// Performs an edit of a page once, however often the page sends it; see ``FormEdits/take(_:of:_:)``.
  func take(_ number: Int, of page: String, _ perform: () throws -> Void) throws {
    try edits.withLock { try $0.take(number, of: page, perform) }
  }

  /// Calls a closure with what opens the form again; no edit is performed meanwhile.
  func withRecord<Result>(_ body: (FormRecord) throws -> Result) throws -> Result {
    try edits.withLock { edits in
      try body(
        FormRecord(
          form: form.name, object: object, isNew: isNew, position: context.position, steps: context.recording(),
          numbers: edits.numbers, held: state.withLock { $0.held }))
    }
  }

  /// Sets attributes of the object, as one step.
  func set(_ values: JSONValue) throws {
    let line = try OperationLine(json: ["set": .string("\(object)"), "values": values])
    try context.edit { try line.perform(in: $0) }
  }

  /// Performs one of the form's actions, as one step.
  func perform(_ action: String, _ input: Input) throws {
    guard let body = form.actions[action] else {
      throw StoreError(.notFound, "The form “\(form.name)” has no action “\(action)”.")
    }
    try context.edit { try body($0, object, input) }
  }

  /// Undoes the last step, except for the one that made the object.
  func undo() throws {
    if context.stepCount > firstSteps { try context.undo() }
  }

  /// Holds the order of a list, or releases it.
  func hold(_ list: String, _ isHeld: Bool) throws {
    guard form.lists.contains(where: { $0.name == list }) else {
      throw StoreError(.notFound, "The form “\(form.name)” has no list “\(list)”.")
    }
    state.withLock { state in
      if isHeld { state.held.insert(list) } else { state.held.remove(list) }
    }
  }

  func holds(_ list: String) -> Bool { state.withLock { $0.held.contains(list) } }

  /// Carries the edits out again on the head, and notes the conflicts that are in the way.
  ///
  /// While there are conflicts the form stays at the position where it was.
  ///
  /// - Parameter policy: How conflicts are decided.
  func rebase(resolving policy: ConflictPolicy = .refuse) throws {
    do {
      try context.rebase(resolving: policy)
      note([])
    } catch let error as StoreError where !error.editingConflicts.isEmpty {
      note(error.editingConflicts)
    } catch let error as StoreError where error.code == .constraint || error.code == .exists {
      // The head does not allow the edits: they stay where they are, and saving reports why.
    }
  }

  /// Decides conflicts by their keys; the ones that are not named stay undecided.
  func resolve(_ decisions: [String: ConflictPolicy]) throws {
    guard conflicts.allSatisfy({ decisions[FormState.key(of: $0)] != nil }) else {
      throw StoreError(.badRequest, "Not all conflicts are decided.", advice: "Decide each for mine or theirs.")
    }
    try rebase(
      resolving: .decide { conflict in
        // A conflict that has come meanwhile is shown before it is decided.
        decisions[FormState.key(of: conflict)] ?? .refuse
      })
  }

  private func note(_ conflicts: [EditingConflict]) { state.withLock { $0.conflicts = conflicts } }

  /// Saves the edits as one commit.
  ///
  /// - Parameter commitID: The id by which a repeated save is recognised, which writes nothing.
  /// - Throws: `StoreError`; after `conflict` the conflicts are a part of the form's state.
  func save(author: String?, commitID: ObjectID? = nil) throws -> Position {
    do {
      let message = isNew ? "add a \(form.name)" : "edit a \(form.name)"
      return try context.save(CommitInfo(author: author, message: message, commitID: commitID))
    } catch let error as StoreError where !error.editingConflicts.isEmpty {
      note(error.editingConflicts)
      throw error
    }
  }

  // MARK: - Life

  func noteUse(at now: ContinuousClock.Instant) { state.withLock { $0.lastUse = now } }

  /// Returns whether the form has been left: not used for some time, or without a stream for some time.
  func isLeft(at now: ContinuousClock.Instant, unused: Duration, unseen: Duration) -> Bool {
    state.withLock { state in
      now - state.lastUse >= unused || state.leftAt.map { now - $0 >= unseen } ?? false
    }
  }

  func join(_ stream: FormStream) {
    state.withLock { state in
      state.streams[ObjectIdentifier(stream)] = stream
      state.leftAt = nil
    }
  }

  func leave(_ stream: FormStream, at now: ContinuousClock.Instant) {
    state.withLock { state in
      state.streams[ObjectIdentifier(stream)] = nil
      if state.streams.isEmpty { state.leftAt = now }
    }
  }

  /// Makes the streams write what has changed.
  func wakeStreams() {
    for stream in state.withLock({ Array($0.streams.values) }) { stream.wake() }
  }

  /// Discards the edits and ends the streams.
  func close() {
    context.cancel()
    for stream in state.withLock({ Array($0.streams.values) }) { stream.end() }
  }
}
