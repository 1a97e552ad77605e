import DaybookMacros
import DaybookModel
import DaybookServer
import Hummingbird

/// The operation that sends the values of an application's streams. What commits changed together becomes one value.
struct StreamRoute {
  private let application: Application
  private let store: Store

  init(_ application: Application, _ store: Store) {
    (self.application, self.store) = (application, store)
  }

  var route: Route {
    Route(
      method: .get, path: "/streams/{stream}", summary: "Values that the application computes as commits are made.",
      parameters: [
        Parameter("stream", .text, "The name of the stream."),
        Parameter("input", .text, "What the stream is of, as a JSON object."),
      ], answers: [RouteAnswer(.ok, "text/event-stream", .text)]
    ) { [application, store] request in
      let name = request["stream"] ?? ""
      guard let named = application.streams.first(where: { $0.name == name }) else {
        throw StoreError(.notFound, "There is no stream “\(name)”.")
      }
      let next = try named.open(store, Input(JSONValue(parsing: request["input"] ?? "{}")))
      let stream = WokenStream()
      return Response.events(answering: request) { writer in
        try await stream.run(to: &writer, for: request) {
          for try await _ in store.commits(from: try store.position) { stream.wake() }
        } news: {
          try next().map { "event: report\ndata: \($0)\n\n" } ?? ""
        }
      } onLeave: {
        stream.end()
      }
    }
  }
}
