public import Daybook
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
  private let state: ServerState
  /// The streams of all clients.
  let feeds: FeedHub
  private let metrics: PrometheusMetrics?
  private let policy: AccessPolicy
  private let builder: HTTPServerBuilder
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
    try configuration.check()
    state = ServerState(store: store, configuration: configuration, logger: logger)
    feeds = FeedHub(state)
    self.metrics = metrics
    self.listening = listening
    let made = configuration.allowsWriting && configuration.tokenFile == nil ? RandomToken.make() : nil
    token = made
    let tokens = try configuration.tokenFile.map { try TokenFile(path: $0) }
    policy = AccessPolicy(configuration, tokens ?? made.map { TokenFile(token: $0, name: writer) })
    builder = try DaybookServer.builder(configuration)
  }

  private static func builder(_ configuration: ServerConfiguration) throws -> HTTPServerBuilder {
    let limits = HTTP1Channel.Configuration(
      additionalChannelHandlers: [RequestLimitHandler(limit: TimeAmount(configuration.requestTimeLimit))],
      idleTimeout: TimeAmount(configuration.idleTimeLimit),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: configuration.headerLimit, maxHeaderListSize: configuration.headerLimit,
        maxHeaderFieldCount: 200))
    let plain = HTTPServerBuilder.http1(configuration: limits)
    guard case .tls(let certificate, let key) = configuration.transport else { return plain }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
      let tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain, privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
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
        address: .hostname(state.configuration.host, port: state.configuration.port)),
      onServerRunning: { [listening, policy] channel in
        let port = channel.localAddress?.port ?? 0
        policy.noteListening(on: port)
        await listening(port)
      },
      logger: state.logger)
  }

  /// All operations but the description of them.
  private var routes: [Route] {
    ReadingRoutes(state).routes + ChangeRoutes(state, feeds).routes + JournalStreamRoutes(state, feeds).routes
      + WritingRoutes(state).routes + SessionRoutes(policy).routes + HealthRoutes(state).routes
      + PageRoutes(state, policy).routes + [MetricsRoute(state, feeds, metrics).route]
  }

  private var router: Router<ServerContext> {
    let table = RouteTable(DescriptionRoute.adding(to: routes), policy)
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: TracingMiddleware())
    router.add(middleware: MetricsMiddleware())
    router.add(middleware: HeadersMiddleware(policy: policy))
    router.add(middleware: ProblemMiddleware(table: table))
    table.add(to: router)
    return router
  }
}
