import DaybookMacros
import DaybookModel
import DaybookServer

/// The forms of one application that pages have open, by the names in their addresses.
///
/// A form is dropped when it is saved or cancelled, when nothing was done in it for an hour, and when no stream has shown
/// it for a minute: its page was closed, never came, or cannot reach the server. Such a page opens it again.
final class OpenForms: Sendable {
  static let lifeUnused = Duration.seconds(60 * 60)
  static let lifeUnseen = Duration.seconds(60)
  /// The most forms at a time.
  static let maximumCount = 1_000

  private struct State {
    var forms: [String: OpenForm] = [:]
    /// Drops forms while there are any.
    var sweeper: Task<Void, any Error>?
  }

  private let application: Application
  private let store: Store
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state = Locked(State())

  /// - Parameter clock: Returns the present time; tests give another one.
  init(
    of application: Application, in store: Store,
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.application, self.store, self.clock) = (application, store, clock)
  }

  /// The number of open forms.
  var count: Int { state.withLock { $0.forms.count } }

  /// Opens a form.
  ///
  /// - Throws: `Problem` with the status 503 if there are too many; `StoreError` with the code `notFound` for a form that
  ///   the application lacks, and for an object that does not exist.
  func open(_ name: String, object: ObjectID?, _ input: Input) throws -> OpenForm {
    sweep()
    return try add(
      try OpenForm(form(named: name), of: application.model, in: store, object: object, input, at: clock()))
  }

  /// Opens a form again that was dropped, from the record of a page and under its former name; returns the form that has
  /// this name if another page has opened it again.
  ///
  /// - Returns: The form, and why steps of the record were left out.
  /// - Throws: As ``open(_:object:_:)``; `Problem` with the status 400 for what cannot be the name of a form.
  func reopen(_ id: String, _ record: FormRecord) throws -> (form: OpenForm, refusals: [any Error]) {
    guard RandomToken.isToken(id) else { throw Problem(.badRequest, "This is no name of a form.", parameter: "id") }
    sweep()
    if let present = state.withLock({ $0.forms[id] }) { return (present, []) }
    var refusals: [any Error] = []
    let form = try OpenForm(
      form(named: record.form), of: application.model, in: store, id: id, again: record, at: clock(),
      refused: { refusals.append($0) })
    return (try add(form), refusals)
  }

  private func form(named name: String) throws -> Form {
    guard let form = application.forms.first(where: { $0.name == name }) else {
      throw StoreError(.notFound, "There is no form “\(name)”.")
    }
    return form
  }

  /// Adds a form, or returns the one that another page has just opened again under its name.
  private func add(_ opened: OpenForm) throws -> OpenForm {
    try state.withLock { state in
      if let present = state.forms[opened.id] { return present }
      guard state.forms.count < OpenForms.maximumCount else {
        throw Problem(
          .serviceUnavailable, "There are \(OpenForms.maximumCount) open forms, and no more are allowed.",
          advice: "Close some of them.", retryAfter: 60)
      }
      state.forms[opened.id] = opened
      if state.sweeper == nil { state.sweeper = Task { [weak self] in try await OpenForms.sweep(self) } }
      return opened
    }
  }

  /// Returns an open form, and takes note that it is used.
  ///
  /// - Throws: `Problem` with the status 404 and the member `isClosed` if it is not open, or not any more.
  func form(_ id: String) throws -> OpenForm {
    sweep()
    guard let form = state.withLock({ $0.forms[id] }) else {
      var problem = Problem(.notFound, "This form is not open any more.", advice: "Open it again.")
      // An object that an edit names may be missing, too.
      problem.members = [("isClosed", true)]
      throw problem
    }
    form.noteUse(at: clock())
    return form
  }

  /// Takes note that a stream of a form has ended.
  func leave(_ form: OpenForm, _ stream: FormStream) { form.leave(stream, at: clock()) }

  /// Drops a form: its edits are discarded unless they were saved.
  func drop(_ form: OpenForm) {
    state.withLock { $0.forms[form.id] = nil }
    form.close()
  }

  /// Drops the forms that were left.
  func sweep() {
    let now = clock()
    let left = state.withLock { state in
      state.forms.values.filter {
        $0.isLeft(at: now, unused: OpenForms.lifeUnused, unseen: OpenForms.lifeUnseen)
      }
    }
    for form in left { drop(form) }
    state.withLock { state in
      guard state.forms.isEmpty else { return }
      state.sweeper?.cancel()
      state.sweeper = nil
    }
  }

  /// Drops forms every few seconds, until the task is cancelled.
  private static func sweep(_ forms: OpenForms?) async throws {
    weak let forms = forms
    while let forms {
      forms.sweep()
      try await Task.sleep(for: .seconds(5))
    }
  }
}
