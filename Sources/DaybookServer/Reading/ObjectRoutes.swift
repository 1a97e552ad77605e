#if Server

import Daybook
import DaybookModel
import DaybookTools
import Hummingbird

/// The operations that read one object.
struct ObjectRoutes {
  private let state: ServerState

  init(_ state: ServerState) {
    self.state = state
  }

  var routes: [Route] { [object, log, blame] }

  private var object: Route {
    Route(
      method: .get, path: "/api/objects/{id}", summary: "An object with its values and all its links.",
      parameters: [.id, .at, .ifNoneMatch], answers: [RouteAnswer(.ok, "application/json", .shared(.object))]
    ) { request in
      try await state.answer(request, of: .object(request["id"] ?? "")) { reader in
        try ObjectRoutes.object(request, reader)
      } json: { reader, object in
        var encoder = ObjectEncoder(reader.resolvedModel)
        return .object(try encoder.members(of: object, in: reader))
      }
    }
  }

  private var blame: Route {
    Route(
      method: .get, path: "/api/objects/{id}/blame", summary: "Which commit set each value and link of an object.",
      parameters: [.id, .at, .ifNoneMatch], answers: [RouteAnswer(.ok, "application/json", .shared(.blame))]
    ) { request in
      try await state.answer(request, of: .object(request["id"] ?? "")) { reader in
        try ObjectRoutes.object(request, reader).id
      } json: { reader, id in
        try reader.blame(of: id).json
      }
    }
  }

  /// Returns the object that a request names.
  ///
  /// - Throws: `StoreError`: `notFound`, `ambiguous`.
  private static func object(_ request: ServerRequest, _ reader: borrowing StoreReader) throws -> StoredObject {
    let id = try reader.resolve(request["id"] ?? "")
    guard let object = try reader.get(id) else {
      throw StoreError(.notFound, "There is no object \(id).", advice: .readHistory)
    }
    return object
  }

  private var log: Route {
    Route(
      method: .get, path: "/api/objects/{id}/log",
      summary: "The history of an object, oldest first: a line of JSON for each commit that named it.",
      parameters: [.id, .ifNoneMatch], answers: [RouteAnswer(.ok, "application/jsonl", .text)]
    ) { request in
      try await state.answer(request, type: "application/jsonl") { [store = state.store] reader in
        let id = try reader.resolve(request["id"] ?? "", includesDeleted: true)
        return try store.history(of: id, to: reader.position)
      } _: { _, history in
        var log = history
        var bytes: [UInt8] = []
        while try log.writeNext(.log, to: &bytes) {}
        return bytes
      }
    }
  }
}

#endif
