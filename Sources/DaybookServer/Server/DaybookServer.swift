#if Server

public import Daybook
import DaybookPage
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import Logging
import NIOCore
import NIOSSL
public import ServiceLifecycle

/// Serves a store over HTTP: reading, change feeds, writing, and a page that shows it all.
///
///     let server = try DaybookServer(store: store, configuration: ServerConfiguration(port: 8642))
///     try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
///
/// A graceful shutdown takes no new requests, finishes those under way, and ends the streams. The server does not close
/// the store.
public struct DaybookServer: Service {
  /// The token that the server made for writing; `nil` if it has a token file, or only reads.
  public let token: String?
  private let configuration: ServerConfiguration
  private let logger: Logger
  private let policy: AccessPolicy
  private let routes: [Route]
  private let builder: HTTPServerBuilder
  private let hubs: [FeedHub]
  /// The streams of all clients of the first store.
  var feeds: FeedHub { hubs[0] }
  private let listening: @Sendable (_ port: Int) async -> Void

  /// - Parameters:
  ///   - store: The store to serve. It must stay open while the server runs.
  ///   - configuration: Where the server listens, and what it allows.
  ///   - writer: The author of commits that are written with the token that the server makes.
  ///   - metrics: What `/metrics` prints: the metrics backend that the program has installed; `nil` for none.
  ///   - logger: Where the server reports failed requests and other events.
  ///   - listening: Called with the port when the server accepts connections.
  /// - Throws: ``ServerConfigurationError`` for an address that others reach, without tokens or encryption, for a token
  ///   file that is wrong, and for a certificate that cannot be used.
  public init(
    store: Store, configuration: ServerConfiguration = ServerConfiguration(), writer: String = "local",
    metrics: PrometheusMetrics? = nil, logger: Logger = Logger(label: "daybook.server"),
    listening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) throws {
    let state = ServerState(store: store, configuration: configuration, logger: logger)
    let feeds = FeedHub(state)
    try self.init(configuration, writer: writer, logger: logger, listening: listening, hubs: [feeds]) { policy in
      let all =
        DaybookServer.routes(of: state, feeds) + SessionRoutes(policy).routes + PageRoutes(state, policy).routes
        + [MetricsRoute(state, feeds, metrics).route]
      return DescriptionRoute.adding(to: all, under: "")
    }
  }

  /// Serves several stores, each under a path of its own.
  ///
  /// - Parameters:
  ///   - mounts: The stores with their paths.
  ///   - configuration: Where the server listens, and what it allows; the limit of streams is one for each store.
  ///   - files: Files outside of all applications, by their paths; the one at `/` is the first page.
  ///   - writer: The author of commits that are written with the token that the server makes.
  ///   - logger: Where the server reports failed requests and other events.
  ///   - listening: Called with the port when the server accepts connections.
  /// - Precondition: There is at least one mount, and no two have the same path.
  /// - Throws: ``ServerConfigurationError``, as the initializer for one store.
  package init(
    mounting mounts: [StoreMount], configuration: ServerConfiguration, files: [String: PageFile] = [:],
    writer: String = "local", logger: Logger = Logger(label: "daybook.server"),
    listening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) throws {
    precondition(!mounts.isEmpty && Set(mounts.map(\.path)).count == mounts.count, "Each store has a path of its own.")
    let stores = mounts.map { MountedStore($0, configuration: configuration, logger: logger) }
    try self.init(configuration, writer: writer, logger: logger, listening: listening, hubs: stores.map(\.feeds)) {
      policy in
      stores.flatMap(\.routes) + PageRoutes.modules + files.map { PageRoutes.route($0.value, at: $0.key) }
        + SessionRoutes(policy).routes
    }
  }

  private init(
    _ configuration: ServerConfiguration, writer: String, logger: Logger,
    listening: @escaping @Sendable (_ port: Int) async -> Void, hubs: [FeedHub],
    makeRoutes: (AccessPolicy) -> [Route]
  ) throws {
    try configuration.check()
    self.configuration = configuration
    self.logger = logger
    self.listening = listening
    self.hubs = hubs
    let needsToken = configuration.allowsWriting && configuration.tokenFile == nil && !configuration.ownPagesMayWrite
    let made = needsToken ? RandomToken.make() : nil
    token = made
    let tokens = try configuration.tokenFile.map { try TokenFile(path: $0) }
    policy = AccessPolicy(configuration, tokens ?? made.map { TokenFile(token: $0, name: writer) })
    routes = makeRoutes(policy)
    builder = try DaybookServer.builder(configuration)
  }

  private static func builder(_ configuration: ServerConfiguration) throws -> HTTPServerBuilder {
    let plain = HTTPServerBuilder { responder in
      ConnectionChannel(
        responder: responder, limits: ConnectionLimits(configuration), headerLimit: configuration.headerLimit)
    }
    guard case .tls(let certificate, let key) = configuration.transport else { return plain }
    if let error = ServerConfigurationError(reading: certificate, "certificate") { throw error }
    if let error = ServerConfigurationError(reading: key, "private key") { throw error }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
      // RFC 8996: TLS 1.0 and 1.1 must not be used; they are SwiftNIO's default.
      tls.minimumTLSVersion = .tlsv12
      return try .tls(plain, tlsConfiguration: tls)
    } catch {
      throw ServerConfigurationError(
        "The certificate \(certificate) with the key \(key) cannot be used: \(error).",
        advice: "Give a chain and an unencrypted private key, both as PEM.")
    }
  }

  /// Serves requests until the task is cancelled or a graceful shutdown is begun.
  public func run() async throws {
    try await application.run()
  }

  /// The server as Hummingbird runs it; tests send requests to it without a socket.
  package var application: some ApplicationProtocol {
    Application(
      router: router, server: builder,
      configuration: ApplicationConfiguration(
        address: .hostname(configuration.host, port: configuration.port)),
      onServerRunning: { [listening, policy] channel in
        let port = channel.localAddress?.port ?? 0
        policy.noteListening(on: port)
        await listening(port)
      },
      logger: logger)
  }

  /// Returns all operations on a store.
  static func routes(of state: ServerState, _ feeds: FeedHub) -> [Route] {
    var routes =
      ReadingRoutes(state).routes + ChangeRoutes(state, feeds).routes + JournalStreamRoutes(state, feeds).routes
      + WritingRoutes(state).routes + HealthRoutes(state).routes
    #if Import
    routes += ImportRoutes(state).routes
    #endif
    return routes
  }

  private var router: Router<ServerContext> {
    let table = RouteTable(routes, policy)
    let router = Router(context: ServerContext.self)
    router.add(middleware: TracingMiddleware())
    router.add(middleware: RequestMetricsMiddleware())
    router.add(middleware: HeadersMiddleware(policy: policy))
    router.add(middleware: ProblemMiddleware(table: table))
    table.add(to: router)
    return router
  }
}

#endif
