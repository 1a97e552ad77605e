#if Server

import Daybook
import DaybookModel
import DaybookTools
import Hummingbird

/// The operation that reads the journal in pages.
struct CommitRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  /// The most commits of one page, and of one without a limit.
  static let maximumLimit = 1_000
  static let standardLimit = 100
  /// A page ends with the commit that reaches this size, in bytes.
  private static let maximumSizeInBytes = 16 << 20

  var routes: [Route] {
    [
      Route(
        method: .get, path: "/api/commits", summary: "The commits that meet conditions, in pages.",
        parameters: [
          Parameter("from", .position, "The first position."), Parameter("to", .position, "The last position."),
          Parameter("limit", .number(1...CommitRoutes.maximumLimit), "The most commits; 100 if it is left out."),
          Parameter("reverse", .flag, "Whether the last commit comes first."),
        ] + Parameter.commitFilter + [.ifNoneMatch], answers: [RouteAnswer(.ok, "application/json", .shared(.commits))]
      ) { request in
        try await state.answer(request) { [store = state.store] reader in
          try CommitRoutes.log(request, reader, store)
        } _: { _, log in
          try CommitRoutes.page(log, limit: request.number("limit") ?? CommitRoutes.standardLimit)
        }
      }
    ]
  }

  /// Returns the commits that a request asks for, one more than a page has.
  private static func log(
    _ request: ServerRequest, _ reader: borrowing StoreReader, _ store: Store
  ) throws -> CommitLog {
    let first = max(try request.position("from")?.resolve(in: reader) ?? .empty, 1)
    let last = try request.position("to")?.resolve(in: reader) ?? reader.position
    return try store.log(
      where: request.commitFilter(in: store), from: first, to: last, reversed: request.flag("reverse"),
      limit: (request.number("limit") ?? standardLimit) + 1, matchingEventsOnly: request.flag("eventsOnly"))
  }

  private static func page(_ commits: CommitLog, limit: Int) throws -> [UInt8] {
    var log = commits
    var bytes = Array("{\"commits\": [".utf8)
    var count = 0
    var next: Position?
    while let position = try log.nextPosition() {
      guard count < limit, bytes.count < maximumSizeInBytes else {
        next = position
        break
      }
      if count > 0 { bytes += ", ".utf8 }
      _ = try log.writeNext(.log, to: &bytes)
      // Without the end of the line.
      bytes.removeLast()
      count += 1
    }
    bytes += "], \"next\": \(next.map { "\($0)" } ?? "null")}".utf8
    return bytes
  }
}

#endif
