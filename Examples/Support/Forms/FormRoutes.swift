import DaybookMacros
import DaybookModel
import DaybookServer
import HTTPTypes
import Hummingbird

/// The operations on the forms of an application, under `/forms`.
///
/// A page opens a form, reads its stream, sends edits, and saves or cancels it. All answers but the stream are
/// small: what an edit changed comes over the stream.
struct FormRoutes {
  private let forms: OpenForms
  /// The limits of a body: a photo in base64 is a value like any other.
  private static let limits: ServerConfiguration = {
    var limits = ServerConfiguration()
    limits.bodyLimit = 24 << 20
    return limits
  }()

  init(_ forms: OpenForms) {
    self.forms = forms
  }

  var routes: [Route] { [open, stream, value, edit, undo, redo, hold, resolve, save, cancel] }

  private static let form = Parameter("form", .text, "The open form, by the name that opening it answered.")
  private static let done = RouteAnswer(.ok, "application/json", .map(.any))

  private var open: Route {
    Route(
      method: .post, path: "/forms",
      summary: "Opens a form for an object or for a new one, or one again that was dropped, from its record.",
      access: .write,
      bodies: [
        (
          "application/json",
          .object(
            [],
            optional: [
              ("form", .text), ("object", .optionalText), ("input", .any), ("id", .text), ("record", .any),
            ])
        )
      ],
      answers: [
        RouteAnswer(
          .created, "application/json",
          .object([("id", .text), ("object", .text)], optional: [("refused", .list(.text))]))
      ], place: .body
    ) { [forms] request in
      let body = try await FormRoutes.body(request)
      if !body.json("record").isNull { return try await FormRoutes.reopen(forms, body, for: request) }
      let object = try body.optionalID("object") as EntityID<Never>?
      let name = try body.text("form")
      let input = try Input(body.json("input"))
      let form = try await request.blocking {
        try Problem.findingObjects { try forms.open(name, object: object?.objectID, input) }
      }
      return Response(["id": .string(form.id), "object": .string("\(form.object)")], status: .created)
    }
  }

  private static func reopen(_ forms: OpenForms, _ body: Input, for request: ServerRequest) async throws -> Response {
    let id = try body.text("id")
    let record = try FormRecord(body.json("record"))
    let (form, refusals) = try await request.blocking { try forms.reopen(id, record) }
    return Response(
      [
        "id": .string(form.id), "object": .string("\(form.object)"),
        "refused": .array(refusals.map { .string(($0 as? StoreError)?.message ?? "\($0)") }),
      ], status: .created)
  }

  private var stream: Route {
    Route(
      method: .get, path: "/forms/{form}/stream",
      summary: "The state of a form and the differences of its lists, as they occur.", parameters: [FormRoutes.form],
      answers: [RouteAnswer(.ok, "text/event-stream", .text)]
    ) { [forms] request in
      let form = try forms.form(request["form"] ?? "")
      let stream = FormStream(form)
      form.join(stream)
      return Response.events(answering: request) { writer in
        defer { forms.leave(form, stream) }
        try await stream.run(to: &writer, for: request)
      } onLeave: {
        stream.end()
      }
    }
  }

  /// A chosen picture is in no commit before the form is saved, and the page shows it also after a reload.
  private var value: Route {
    Route(
      method: .get, path: "/forms/{form}/values/{sha256}",
      summary: "The bytes of a large value that the form has set or the store has, by their SHA-256.",
      parameters: [FormRoutes.form, .sha256], answers: [RouteAnswer(.ok, "*/*", .text)]
    ) { [forms] request in
      let context = try forms.form(request["form"] ?? "").context
      return try await Response.largeValue(answering: request) { try context.largeValue($0) }
    }
  }

  private var edit: Route {
    post("edit", "Sets attributes of the form's object, or performs one of the form's actions, as one step.") {
      form, body in
      if !body.json("set").isNull { try form.set(body.json("set")) }
      if !body.json("action").isNull { try form.perform(body.text("action"), Input(body.json("input"))) }
    }
  }

  private var undo: Route {
    post("undo", "Undoes the last step of a form.") { form, _ in try form.undo() }
  }

  private var redo: Route {
    post("redo", "Redoes the step that was undone last.") { form, _ in try form.context.redo() }
  }

  private var hold: Route {
    post("hold", "Holds the order of a list in the form, or releases it.") { form, body in
      try form.hold(body.text("list"), body.json("held").booleanValue ?? false)
    }
  }

  private var resolve: Route {
    post("resolve", "Decides the conflicts with other commits: each for mine or for theirs.") { form, body in
      var decisions: [String: ConflictPolicy] = [:]
      for (key, decision) in body.json("decisions").members ?? [] {
        decisions[key] = decision.stringValue == "mine" ? .mine : .theirs
      }
      try form.resolve(decisions)
    }
  }

  private var cancel: Route {
    Route(
      method: .post, path: "/forms/{form}/cancel", summary: "Closes a form without saving: nothing of it is left.",
      access: .write, parameters: [FormRoutes.form], bodies: [("application/json", .map(.any))],
      answers: [FormRoutes.done], place: .body
    ) { [forms] request in
      _ = try await FormRoutes.body(request)
      let id = request["form"] ?? ""
      return try await request.blocking {
        forms.drop(try forms.form(id))
        return Response([:])
      }
    }
  }

  private var save: Route {
    Route(
      method: .post, path: "/forms/{form}/save", summary: "Saves a form as one commit, and closes it.", access: .write,
      parameters: [FormRoutes.form],
      bodies: [("application/json", .object([], optional: [("author", .text), ("commitID", .text)]))],
      answers: [RouteAnswer(.created, "application/json", .object([("position", .integer)]))], place: .body
    ) { [forms] request in
      let body = try await FormRoutes.body(request)
      let author = body.json("author").stringValue
      let commitID = body.json("commitID").isNull ? nil : try body.object("commitID")
      return try await request.blocking {
        let form = try forms.form(request["form"] ?? "")
        do {
          let position = try form.save(author: author, commitID: commitID)
          forms.drop(form)
          return Response(["position": position.json, "object": .string("\(form.object)")], status: .created)
        } catch {
          form.wakeStreams()
          throw try FormRoutes.problem(error, of: form)
        }
      }
    }
  }

  /// Returns the problem that a refused save is, with all the rules that the form breaks.
  private static func problem(_ error: any Error, of form: OpenForm) throws -> any Error {
    guard let error = error as? StoreError else { return error }
    if !error.editingConflicts.isEmpty {
      return Problem(.conflict, error.message, advice: "Decide each conflict, and save again.")
    }
    guard error.code == .constraint else { return error }
    var problem = Problem(.unprocessableContent, error.message)
    let failures = try form.context.preview().failures
    problem.members = [("failures", .array(try failures.map { try json(of: $0, in: form) }))]
    return problem
  }

  /// Returns a broken rule with its value, which is the form's own where the rule is not about a single one.
  private static func json(of error: StoreError, in form: OpenForm) throws -> JSONValue {
    var failure: JSONValue = .null
    if let broken = error.failure {
      var members = broken.json.members ?? []
      let field = broken.fields.first ?? ""
      if broken.value.isNull, let object = try form.context.get(broken.object) {
        members.append(("value", object[field].json(as: .data)))
      }
      failure = .object(members)
    }
    return .object([("message", .string(error.message)), ("failure", failure)])
  }

  /// Returns the operation of an edit, which a page numbers: sent twice, it is performed once.
  private func post(
    _ name: String, _ summary: String, _ body: @escaping @Sendable (OpenForm, Input) throws -> Void
  ) -> Route {
    Route(
      method: .post, path: "/forms/{form}/\(name)", summary: summary, access: .write, parameters: [FormRoutes.form],
      bodies: [("application/json", .map(.any))], answers: [FormRoutes.done], place: .body
    ) { [forms] request in
      let input = try await FormRoutes.body(request)
      let (number, page) = (try input.number("number"), try input.text("page"))
      return try await request.blocking {
        let form = try forms.form(request["form"] ?? "")
        // A refused edit has come, too.
        defer { form.wakeStreams() }
        try Problem.findingObjects { try form.take(number, of: page) { try body(form, input) } }
        return Response([:])
      }
    }
  }

  static func body(_ request: ServerRequest) async throws -> Input {
    try Input(await WritingBody(request, FormRoutes.limits).json)
  }
}
