#if Server && Import

import Daybook
import DaybookImport
import DaybookModel
import DaybookTools
import HTTPTypes
import Hummingbird

/// The operation that imports the rows of a CSV file, or JSON objects.
///
/// The body is the file. An entity that the store lacks is added to the model, and everything is one commit, or two with
/// the model's; with `preview` the commits are made and thrown away, so that the answer has every error that the import
/// would have.
struct ImportRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var routes: [Route] { [rows] }

  private static let parameters: [Parameter] = [
    .entity,
    Parameter(
      "key", .text,
      "The columns that identify an object, separated by commas: a row changes the object with these values, or inserts "
        + "one. Without it each row is inserted, into an entity without objects."),
    Parameter("type", .text, "The type of a column, such as price=decimal.", isRepeatable: true),
    Parameter(
      "link", .text,
      "A column that names objects of another entity by a unique attribute, such as type=RecipeType.name.",
      isRepeatable: true),
    Parameter("nested", .flag, "With JSON: whether nested objects become objects of entities of their own."),
    Parameter("keepEmpty", .flag, "With CSV: whether an empty cell of a required string is the empty string."),
    Parameter("delimiter", .text, "With CSV: the character between cells, or tab; a comma if it is left out."),
    Parameter(
      "encoding", .text, "With CSV: the encoding; UTF-8 or that of the byte order mark if it is left out."),
    Parameter("source", .text, "The name of the file, for the metadata of the commit and for messages."),
    Parameter("message", .text, "The message of the commit."),
    Parameter("preview", .flag, "Whether nothing is written: the answer has the report, and the first rows."),
    Parameter("rows", .number(0...1_000), "With preview: the most rows; 20 if it is left out."),
  ]

  private static let answer = Schema.object(
    [],
    optional: [
      ("report", .map(.any)), ("problem", .shared(.problem)), ("position", .integer),
      ("columns", .list(.object([("name", .text), ("attribute", .text), ("type", .text)]))),
      ("rows", .list(.list(.any))),
    ])

  private var rows: Route {
    Route(
      method: .post, path: "/api/import/{entity}", summary: "Imports the rows of a CSV file, or JSON objects.",
      access: .write, parameters: ImportRoutes.parameters,
      bodies: [
        ("text/csv", .text), ("text/tab-separated-values", .text),
        ("application/json", .either([.list(.map(.any)), .map(.any)])), ("application/x-ndjson", .text),
      ],
      answers: [
        RouteAnswer(.created, "application/json", ImportRoutes.answer),
        RouteAnswer(.ok, "application/json", ImportRoutes.answer),
      ], place: .body
    ) { request in
      let sent = try await SentTable(request, state.configuration)
      let author = request.context.principal?.name
      do {
        return try await state.blocking(for: request) { store in
          try sent.options.isDryRun
            ? ImportRoutes.preview(sent, rowCount: request.number("rows") ?? 20, in: store)
            : ImportRoutes.answer(sent, author: author, in: store)
        }
      } catch let error as ImportError {
        throw Problem(error)
      }
    }
  }

  private static func answer(_ sent: SentTable, author: String?, in store: Store) throws -> Response {
    var job = TableJob(sent.kind, into: store, entity: sent.entity) { declared in try sent.file(declared) }
    job.options = sent.options
    job.options.author = author
    let report = try job.run()
    var members: [(key: String, value: JSONValue)] = [("report", report.json)]
    if let head = report.head { members.append(("position", head.json)) }
    return Response(.object(members), status: report.commitCount > 0 ? .created : .ok)
  }

  /// Returns the columns and the first rows of a file that can be read, and the report or the problem of its import.
  private static func preview(_ sent: SentTable, rowCount: Int, in store: Store) throws -> Response {
    var opened: (any TableFile)?
    var job = TableJob(sent.kind, into: store, entity: sent.entity) { declared in
      let file = try sent.file(declared)
      opened = file
      return file
    }
    job.options = sent.options
    let outcome: (key: String, value: JSONValue)
    do {
      outcome = ("report", try job.run().json)
    } catch let error as ImportError where opened != nil {
      outcome = ("problem", Problem(error).json)
    } catch let error as StoreError where error.code == .constraint || error.code == .badModel {
      guard let problem = Problem.translating(error, in: .body) else { throw error }
      outcome = ("problem", problem.json)
    }
    let columns = opened?.table.columns.map { column -> JSONValue in
      ["name": .string(column.name), "attribute": .string(column.attribute), "type": .string(column.type.rawValue)]
    }
    let rows = try opened?.firstRows(rowCount)
    return Response(.object([("columns", .array(columns ?? [])), ("rows", .array(rows ?? [])), outcome]))
  }
}

/// The rows of a request, and how they are read.
private struct SentTable: Sendable {
  let kind: TableJob.Kind
  let entity: String
  let options: TableOptions
  private let bytes: [UInt8]
  private let name: String
  private let types: [String: AttributeType]
  private let format: CSVFormat
  private let isNested: Bool

  /// Reads the body, and what the parameters say about it.
  ///
  /// - Throws: `Problem`: 413 for a body that is too large, 415 for another media type, 400 for a wrong parameter.
  init(_ request: ServerRequest, _ configuration: ServerConfiguration) async throws {
    let media = request.mediaType
    switch media {
    case "text/csv", "text/tab-separated-values": kind = .csv
    case "application/json", "application/x-ndjson": kind = .json
    default:
      throw request.unsupportedMediaType(
        advice: "Send text/csv, text/tab-separated-values, application/json or application/x-ndjson.")
    }
    if let key = HTTPField.Name("Idempotency-Key"), request.request.headers[key] != nil {
      throw Problem(
        .badRequest, "An import has no Idempotency-Key.",
        advice: "With a key of its rows, what is sent again writes nothing.",
        parameter: "Idempotency-Key")
    }
    entity = request["entity"] ?? ""
    name = request["source"] ?? "the file"
    isNested = request.flag("nested")
    types = try SentTable.types(request.all("type"))
    format = try SentTable.format(request, usual: media == "text/csv" ? .commas : .tabs)
    var options = TableOptions()
    options.key = request["key"]?.split(separator: ",").map(String.init) ?? []
    options.links = try request.all("link").map(SentTable.link)
    options.keepsEmpty = request.flag("keepEmpty")
    options.isDryRun = request.flag("preview")
    options.message = request["message"]
    self.options = options
    bytes = Array(try await request.body(upTo: configuration.formLimit, "file").readableBytesView)
  }

  /// Reads the file once, with the types of columns by the names of their attributes.
  func file(_ declared: [String: AttributeType]) throws -> any TableFile {
    let open = { @Sendable [bytes] () throws(ImportError) -> any ImportByteSource in ImportMemory(bytes) }
    switch kind {
    case .csv:
      return try CSVTable(format: format, types: types, declared: declared, file: name, open: open).rows(of: entity)
    case .json:
      return try JSONTable(
        entity: entity, types: types, declared: declared, nested: isNested, file: name, open: open)
    }
  }

  private static func types(_ texts: [String]) throws -> [String: AttributeType] {
    var types: [String: AttributeType] = [:]
    for text in texts {
      guard let assignment = Assignment(text) else {
        throw Problem(.badRequest, "“\(text)” is not COLUMN=TYPE.", parameter: "type")
      }
      guard let type = AttributeType(rawValue: assignment.text) else {
        let names = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem(
          .badRequest, "“\(assignment.text)” is not a type.", advice: "Give one of \(names).", parameter: "type")
      }
      guard types.updateValue(type, forKey: assignment.name) == nil else {
        throw Problem(.badRequest, "The column “\(assignment.name)” is given two types.", parameter: "type")
      }
    }
    return types
  }

  private static func link(_ text: String) throws -> TableLink {
    guard let assignment = Assignment(text), let link = TableLink(column: assignment.name, place: assignment.text)
    else { throw Problem(.badRequest, "“\(text)” is not COLUMN=ENTITY.ATTRIBUTE.", parameter: "link") }
    return link
  }

  private static func format(_ request: ServerRequest, usual: CSVFormat) throws -> CSVFormat {
    func placing<Result>(_ parameter: String, _ body: () throws -> Result) throws -> Result {
      do {
        return try body()
      } catch let error as ImportError {
        throw Problem(.badRequest, error.message, parameter: parameter)
      }
    }
    var format = try placing("delimiter") { try request["delimiter"].map { try CSVFormat(delimiter: $0) } ?? usual }
    let type = request.request.headers[.contentType] ?? ""
    let charset = type.split(separator: ";").dropFirst().map { $0.trimmingWhitespace() }.first {
      $0.lowercased().hasPrefix("charset=")
    }
    let named = charset.map { $0.dropFirst("charset=".count).filter { $0 != "\"" } }
    if let name = request["encoding"] ?? named {
      format.encoding = try placing("encoding") { try TextEncoding(named: name.lowercased()) }
    }
    return format
  }
}

/// The end of a reading that wants no more rows.
private struct EndOfRows: Error {}

private extension TableFile {
  /// Returns the values of the first rows.
  func firstRows(_ count: Int) throws -> [JSONValue] {
    let types = table.columns.map(\.type)
    var rows: [JSONValue] = []
    do {
      try forEachRow { row in
        guard rows.count < count else { throw EndOfRows() }
        rows.append(.array(zip(row.values, types).map { $0.json(as: $1) }))
      }
    } catch is EndOfRows {
      return rows
    }
    return rows
  }
}

private extension Problem {
  /// The problem of a file whose rows cannot be imported.
  init(_ error: ImportError) {
    // The messages name options as the command has them.
    let message = error.message.replacing("“daybook model --apply”", with: "a later model").replacing(
      /--([a-z]+)-?([a-z]*)/
    ) { "“\($0.1)\($0.2.capitalized)”" }
    self.init(error.kind == .usage ? .badRequest : .unprocessableContent, message)
  }
}

#endif
