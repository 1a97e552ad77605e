#if Server

import Daybook
import DaybookModel
import DaybookTools
import Hummingbird

/// The operation that fetches objects.
struct FetchRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var routes: [Route] {
    [
      Route(
        method: .get, path: "/api/fetch/{entity}", summary: "The objects that a request asks for.",
        parameters: [.entity] + Parameter.request + [.at, FetchRoutes.counts, .ifNoneMatch],
        answers: [RouteAnswer(.ok, "application/json", .shared(.result))]
      ) { request in
        let wanted = try request.fetchRequest()
        let hasCounts = request.flag("counts")
        // The answer of the present follows from the clock, too.
        let isTagged = !wanted.mayReadTime || request["at"] != nil
        return try await state.answer(request, of: .entity(wanted.entity), isTagged: isTagged) { reader in
          try reader.check(wanted)
        } _: { reader, _ in
          // Objects and totals are of one time.
          try ResultEncoding(reader.timed(wanted), hasCounts: hasCounts).bytes(reader)
        }
      }
    ]
  }

  static let counts = Parameter("counts", .flag, "Whether names and counts of all sections are added.")
}

/// The result of a request as JSON, with the numbers of all rows and, if they are wanted, of the rows of each section.
struct ResultEncoding: Sendable {
  let request: FetchRequest
  let hasCounts: Bool

  init(_ request: FetchRequest, hasCounts: Bool) {
    self.request = request
    self.hasCounts = hasCounts
  }

  /// Returns the bytes of the value.
  ///
  /// - Parameter members: Members that follow the totals.
  func bytes(
    _ reader: borrowing StoreReader, followedBy members: [(key: String, value: JSONValue)] = []
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = FetchWriter(reader.resolvedModel)
    try writer.write(request, reader, followedBy: { try total($0).members + members }, to: { bytes += $0 })
    return bytes
  }

  /// Returns the numbers of rows at a reader's position.
  func total(_ reader: borrowing StoreReader) throws -> RequestTotal {
    let all = request.unlimited
    return hasCounts ? RequestTotal(try reader.sections(of: all.untyped)) : RequestTotal(try reader.count(all))
  }
}

#endif
