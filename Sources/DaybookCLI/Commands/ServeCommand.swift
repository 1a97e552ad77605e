#if Command && Server

import ArgumentParser
import Daybook
import DaybookServer
import DaybookTools
import Logging
import Metrics
import NIOCore
import ServiceLifecycle

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve a store over HTTP: reading, change feeds, writing, and a page.",
    discussion: """
      daybook serve STORE --port 8642

      It prints the address on standard output when it accepts connections, logs to standard error, and ends on SIGTERM \
      or Ctrl-C: requests under way are finished, streams are ended, and the store is closed.

      Without --token-file all users of this machine may read. With --write and no --token-file it makes a token, and \
      names the file with it. The token file has a line for each token: the token, read or write, and a name, which \
      becomes the author of commits.
      """)

  @OptionGroup var arguments: StoreArguments

  @Option(help: ArgumentHelp("The address to listen on.", valueName: "address"))
  var host = "127.0.0.1"

  @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "port"))
  var port = 8_642

  @Flag(help: "Allow requests to write, with a token.")
  var write = false

  @Option(help: ArgumentHelp("The tokens that may read and write; read again when it changes.", valueName: "file"))
  var tokenFile: String?

  @Option(help: ArgumentHelp("The certificate chain for TLS, as PEM.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The private key of the certificate, as PEM.", valueName: "file"))
  var key: String?

  @Flag(help: "A proxy before the server has TLS.")
  var behindProxy = false

  @Option(help: ArgumentHelp("An address at which browsers reach the server; can be repeated.", valueName: "url"))
  var publicUrl: [String] = []

  @Option(help: ArgumentHelp("An origin whose pages may use the server; can be repeated.", valueName: "origin"))
  var origin: [String] = []

  @Option(help: ArgumentHelp("The most event streams at a time.", valueName: "count"))
  var streams = ServerConfiguration().streamLimit

  func validate() throws {
    if streams < 1 { throw ValidationError("--streams takes a number from 1.") }
    if !(0...65_535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535.") }
    if (certificate == nil) != (key == nil) { throw ValidationError("--certificate and --key go together.") }
    if certificate != nil, behindProxy { throw ValidationError("Give a certificate, or --behind-proxy, not both.") }
  }

  private var serverConfiguration: ServerConfiguration {
    var configuration = ServerConfiguration(host: host, port: port, allowsWriting: write)
    configuration.tokenFile = tokenFile
    configuration.publicURLs = publicUrl
    configuration.allowedOrigins = origin
    configuration.streamLimit = streams
    if let certificate, let key { configuration.transport = .tls(certificate: certificate, key: key) }
    if behindProxy { configuration.transport = .behindProxy }
    return configuration
  }

  func run() async throws {
    let metrics = PrometheusMetrics()
    // Before the store is opened, which makes its instruments then.
    MetricsSystem.bootstrap(metrics)
    let log = QueuedLog()
    defer { log.finish() }
    let logger = Logger(label: "daybook.serve") { log.handler(label: $0) }
    let store = try arguments.open(following: [ActivityProjection()], logger: logger)
    defer { store.close() }
    let scheme = certificate == nil ? "http" : "https"
    let address = host.contains(":") ? "[\(host)]" : host
    let server: DaybookServer
    do {
      server = try DaybookServer(
        store: store, configuration: serverConfiguration, metrics: metrics, logger: logger
      ) { port in
        // The command needs no reader of its output.
        try? Console.standard.print("listening on \(scheme)://\(address):\(port)")
        try? Console.standard.flush()
      }
    } catch let error as ServerConfigurationError {
      throw StoreError(
        error.concernsFile ? .inputOutput : .badRequest, error.message, advice: .text(error.advice))
    }
    let secret = try server.token.map { try SecretFile(text: "\($0) write local\n", named: "daybook-token") }
    defer { secret?.remove() }
    if let secret { Console.standard.printError("The token for writing is in \(secret.path).") }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      try await group.run()
    } catch let error as IOError {
      throw StoreError(
        .inputOutput, "The server cannot listen on \(host):\(port): \(error).", advice: "Choose another --port.")
    }
  }
}

#elseif Command

import ArgumentParser

/// Reports how to build the command, whatever its arguments are.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve a store over HTTP. This build cannot.")

  @Argument(parsing: .allUnrecognized, help: .hidden) var arguments: [String] = []

  func run() throws { throw MissingTrait(name: "Server", feature: "the server") }
}

#endif
