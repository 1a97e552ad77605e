#if Server

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

  private static let written = Schema.object(
    [("position", .integer)], optional: [("ids", .map(.either([.text, .null])))])

  /// The commit id of a request that may be sent again.
  private static let idempotencyKey = HTTPField.Name("Idempotency-Key")

  private var commits: Route {
    Route(
      method: .post, path: "/api/commits", summary: "Writes a commit: an operation, or several, as a line of apply.",
      access: .write, parameters: [WritingRoutes.keyParameter],
      bodies: [
        ("application/json", .shared(.line)),
        ("multipart/form-data", .object([("commit", .text)])),
      ],
      answers: [
        RouteAnswer(.created, "application/json", WritingRoutes.written),
        RouteAnswer(.ok, "application/json", WritingRoutes.written),
      ], place: .body
    ) { request in
      let body = try await WritingBody(request, state.configuration)
      let (files, json) = (body.files, body.json)
      var line = try await ThreadPoolExecutor.run { try WritingRoutes.line(json) }
      try WritingRoutes.setAuthor(&line.info, request)
      try WritingRoutes.setCommitID(&line.info, request)
      let whole = line
      let made = try await WritingRoutes.placing(in: json) {
        try await request.limited { try await OperationBatchWriter.commit(whole, offering: files, to: state.store) }
      }
      let ids = made.ids.map { (key: $0.name, value: $0.id.map { JSONValue.string($0.description) } ?? .null) }
      let isWritten = made.isNew || made.wasKnown
      return Response(
        ["position": made.position.json, "ids": .object(ids)], status: isWritten ? .created : .ok)
    }
  }

  /// Reads a line.
  ///
  /// - Throws: `OperationFault` for an operation in a list that cannot be read; `StoreError`.
  private static func line(_ json: JSONValue) throws -> OperationLine {
    do {
      return try OperationLine(json: json)
    } catch {
      let elements = json.members?.first { $0.key == "commit" }?.value.elements
      let number = elements?.firstIndex { (try? Operation(json: $0)) == nil }
      throw number.map { OperationFault(number: $0, error: error) } ?? error
    }
  }

  /// Runs a closure that performs operations.
  ///
  /// - Throws: What it throws; a fault names its operation only if the body has a list of them.
  private static func placing<Result>(
    in json: JSONValue, _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let fault as OperationFault {
      let isList = json.members?.contains { $0.key == "commit" } == true
      throw isList ? fault : fault.error
    }
  }

  private var revert: Route {
    write(
      "/api/revert", "Undoes what commits did, in a new commit.", required: [("position", .position)],
      optional: [("to", .either([.position, .null])), ("force", .optionalFlag), ("message", .optionalText)]
    ) {
      body, commit, store in
      let first = try body.position("position")
      let (start, end) = try store.read { reader in
        (try first.resolve(in: reader), try body.optionalPosition("to")?.resolve(in: reader))
      }
      let info = CommitInfo(author: commit.author, message: try body.text("message"), commitID: commit.id)
      let outcomes = try store.undo(
        .commits(start, through: end ?? start), options: UndoOptions(info, force: body.flag("force")))
      return ["position": outcomes[0].position.json]
    }
  }

  private var undo: Route {
    write("/api/undo", "Undoes the last commit of an author, in a new commit.", optional: WritingRoutes.undoMembers) {
      body, commit, store in
      let outcomes = try store.undo(
        WritingRoutes.undoSelection(body), options: WritingRoutes.undoOptions(body, commit))
      return UndoOutcome.json(of: outcomes, as: "undoes")
    }
  }

  private var redo: Route {
    write("/api/redo", "Redoes the commit that was undone last, in a new commit.", optional: WritingRoutes.undoMembers)
    {
      body, commit, store in
      let outcomes = try store.redo(
        WritingRoutes.undoSelection(body), options: WritingRoutes.undoOptions(body, commit))
      return UndoOutcome.json(of: outcomes, as: "redoes")
    }
  }

  private static func undoSelection(_ body: MemberReader) throws -> UndoSelection {
    try .last(body.number("steps") ?? 1, of: body.text("author"))
  }

  private static func undoOptions(_ body: MemberReader, _ commit: NewCommit) throws -> UndoOptions {
    let info = CommitInfo(
      author: try commit.author ?? body.text("as"), message: try body.text("message"), commitID: commit.id)
    return UndoOptions(info, force: try body.flag("force"))
  }

  private static let undoMembers: [(String, Schema)] = [
    ("author", .optionalText), ("steps", .either([.number(1...1_000_000), .null])), ("as", .optionalText),
    ("force", .optionalFlag), ("message", .optionalText),
  ]

  /// What a request specifies about the commit that it makes.
  private struct NewCommit: Sendable {
    /// The name of the token.
    let author: String?
    /// The commit id of a request that may be sent again.
    let id: ObjectID?
  }

  /// Returns a route with a body of a few members.
  private func write(
    _ path: String, _ summary: String, required: [(String, Schema)] = [], optional: [(String, Schema)],
    _ body: @escaping @Sendable (MemberReader, NewCommit, Store) throws -> JSONValue
  ) -> Route {
    Route(
      method: .post, path: path, summary: summary, access: .write, parameters: [WritingRoutes.keyParameter],
      bodies: [("application/json", .object(required, optional: optional, isClosed: true))],
      answers: [RouteAnswer(.created, "application/json", .map(.any))], place: .body
    ) { request in
      let sent = try await WritingBody(request, state.configuration)
      let members = try MemberReader(sent.json, known: (required + optional).map { $0.0 })
      let commit = NewCommit(author: request.context.principal?.name, id: try WritingRoutes.commitID(of: request))
      if let name = commit.author, let other = try members.text("as"), other != name {
        throw Problem(.forbidden, "The token's name, \(name), is the author: “as” cannot be “\(other)”.")
      }
      do {
        return Response(
          try await state.blocking(for: request) { try body(members, commit, $0) }, status: .created)
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

  private static let keyParameter = Parameter(
    "Idempotency-Key", .uuid, "The id of the commit: a request that is sent again with it is carried out once.",
    place: .header)

  /// Returns the key of a request that may be sent again, which is the id of its commit.
  ///
  /// - Throws: `Problem` with the status 400 for a text that is no UUID.
  private static func commitID(of request: ServerRequest) throws -> ObjectID? {
    guard let header = idempotencyKey, let text = request.request.headers[header] else { return nil }
    guard let id = ObjectID(text) else {
      throw Problem(.badRequest, "“\(text)” is not a UUID.", parameter: "Idempotency-Key")
    }
    return id
  }

  /// Makes the key of a request that may be sent again the commit id.
  private static func setCommitID(_ info: inout CommitInfo, _ request: ServerRequest) throws {
    guard let id = try commitID(of: request) else { return }
    guard info.commitID ?? id == id else {
      throw Problem(.badRequest, "The body has another commit id than the header.", parameter: "Idempotency-Key")
    }
    info.commitID = id
  }
}

#endif
