public import Daybook
import Hummingbird
public import Logging
public import ServiceLifecycle

/// Serves a store over HTTP: reading, change feeds, writing, and a page that shows it all.
///
///     let server = try DaybookServer(store: store, configuration: ServerConfiguration(port: 8642))
///     try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
///
/// A graceful shutdown takes no new requests, finishes those under way, and ends the streams. The server does not close
/// the store.
public struct DaybookServer: Service {
  private let state: ServerState
  private let listening: @Sendable (_ port: Int) async -> Void

  /// - Parameters:
  ///   - store: The store to serve. It must stay open while the server runs.
  ///   - configuration: Where the server listens, and what it allows.
  ///   - logger: Where the server reports failed requests and other events.
  ///   - listening: Called with the port when the server accepts connections.
  public init(
    store: Store, configuration: ServerConfiguration = ServerConfiguration(),
    logger: Logger = Logger(label: "daybook.server"),
    listening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) throws {
    state = ServerState(store: store, configuration: configuration, logger: logger)
    self.listening = listening
  }

  /// Serves requests until the task is cancelled or a graceful shutdown is begun.
  public func run() async throws {
    try await application.run()
  }

  /// The server as Hummingbird runs it; tests send requests to it without a socket.
  package var application: some ApplicationProtocol {
    Application(
      router: routes.router(), server: .http1(),
      configuration: ApplicationConfiguration(
        address: .hostname(state.configuration.host, port: state.configuration.port)),
      onServerRunning: { [listening] channel in await listening(channel.localAddress?.port ?? 0) },
      logger: state.logger)
  }

  /// All operations of the interface.
  private var routes: RouteTable {
    RouteTable(state, ReadingRoutes(state).routes)
  }
}
