import Daybook
import DaybookModel
import DaybookTools
import HTTPTypes
import Hummingbird

/// The operations that write commits.
struct WritingRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var routes: [Route] { [commits, revert, undo, redo] }

  private static let written = Schema.object([("position", .integer)], optional: [("ids", .map(.text))])

  /// The commit id of a request that may be sent again.
  private static let idempotencyKey = HTTPField.Name("Idempotency-Key")

  private var commits: Route {
    Route(
      method: .post, path: "/api/commits", summary: "Writes a commit: an operation, or several, as a line of apply.",
      access: .write,
      bodies: [
        ("application/json", .map(.any)),
        ("multipart/form-data", .object([("commit", .text)])),
      ],
      answers: [
        RouteAnswer(.created, "application/json", WritingRoutes.written),
        RouteAnswer(.ok, "application/json", WritingRoutes.written),
      ], place: .body
    ) { request in
      let body = try await WritingBody(request, state.configuration)
      let files = body.files
      var line = try OperationLine(json: body.json)
      try WritingRoutes.setAuthor(&line.info, request)
      try WritingRoutes.setCommitID(&line.info, request)
      let made = try await OperationBatchWriter.commit(line, offering: files, to: state.store)
      let ids = made.ids.map { (key: $0.name, value: JSONValue.string($0.id.description)) }
      let isWritten = made.isNew || made.wasKnown
      return Response(
        ["position": made.position.json, "ids": .object(ids)], status: isWritten ? .created : .ok)
    }
  }

  private var revert: Route {
    write("/api/revert", "Undoes what commits did, in a new commit.", optional: ["to", "force", "message"]) {
      body, author, store in
      let first = try body.position("position")
      let (start, end) = try store.read { reader in
        (try first.resolve(in: reader), try body.optionalPosition("to")?.resolve(in: reader))
      }
      let info = CommitInfo(author: author, message: try body.text("message"))
      let position = try store.revert(start, through: end, force: try body.flag("force"), info: info)
      return ["position": position.json]
    }
  }

  private var undo: Route {
    write("/api/undo", "Undoes the last commit of an author, in a new commit.", optional: WritingRoutes.undoMembers) {
      body, author, store in
      let outcomes = try store.undo(
        author: body.text("author"), steps: body.number("steps") ?? 1, as: author ?? body.text("as"),
        force: body.flag("force"), message: body.text("message"))
      return UndoOutcome.json(of: outcomes, as: "undoes")
    }
  }

  private var redo: Route {
    write("/api/redo", "Redoes the commit that was undone last, in a new commit.", optional: WritingRoutes.undoMembers)
    {
      body, author, store in
      let outcomes = try store.redo(
        author: body.text("author"), steps: body.number("steps") ?? 1, as: author ?? body.text("as"),
        force: body.flag("force"), message: body.text("message"))
      return UndoOutcome.json(of: outcomes, as: "redoes")
    }
  }

  private static let undoMembers = ["author", "steps", "as", "force", "message"]

  /// Returns a route with a body of a few members.
  private func write(
    _ path: String, _ summary: String, optional: [String],
    _ body: @escaping @Sendable (MemberReader, _ author: String?, Store) throws -> JSONValue
  ) -> Route {
    let required = path == "/api/revert" ? ["position"] : []
    let schema = Schema.object(required.map { ($0, .any) }, optional: optional.map { ($0, .any) })
    return Route(
      method: .post, path: path, summary: summary, access: .write, bodies: [("application/json", schema)],
      answers: [RouteAnswer(.created, "application/json", .map(.any))], place: .body
    ) { request in
      let sent = try await WritingBody(request, state.configuration)
      let members = try MemberReader(sent.json, known: required + optional)
      let name = request.context.principal?.name
      if let name, let other = try members.text("as"), other != name {
        throw Problem(.forbidden, "The token's name, \(name), is the author: “as” cannot be “\(other)”.")
      }
      do {
        return Response(try await state.blocking(for: request) { try body(members, name, $0) }, status: .created)
      } catch let error as StoreError where error.code == .notFound && required.isEmpty {
        // There is nothing to undo or to redo, as the journal is now.
        throw Problem(.conflict, error.message, advice: error.advice)
      }
    }
  }

  /// Makes the token's name the author of a commit.
  ///
  /// - Throws: `Problem` with the status 403 if the body names an author, too.
  private static func setAuthor(_ info: inout CommitInfo, _ request: ServerRequest) throws {
    guard let name = request.context.principal?.name else { return }
    if info.author != nil {
      var problem = Problem(
        .forbidden, "The author of a commit is the name of its token: \(name).", advice: "Leave “author” out.")
      problem.pointer = "/author"
      throw problem
    }
    info.author = name
  }

  /// Makes the key of a request that may be sent again the commit id.
  private static func setCommitID(_ info: inout CommitInfo, _ request: ServerRequest) throws {
    guard let header = idempotencyKey, let text = request.request.headers[header] else { return }
    guard let id = ObjectID(text) else {
      throw Problem(.badRequest, "“\(text)” is not a UUID.", parameter: "Idempotency-Key")
    }
    guard info.commitID ?? id == id else {
      throw Problem(.badRequest, "The body has another commit id than the header.", parameter: "Idempotency-Key")
    }
    info.commitID = id
  }
}
