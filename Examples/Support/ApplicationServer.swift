import DaybookMacros
import DaybookPage
import DaybookServer
import DaybookTools
import Foundation
import Logging
import ServiceLifecycle

/// The stores of several applications, open and served at `/first`, `/todo` and so on.
///
///     let server = try ApplicationServer([first, todo], in: directory, port: 8650)
///     try await server.run()
///
/// It serves this machine alone. The applications' own pages write without a token, under the name that the person
/// enters there.
package struct ApplicationServer: Sendable {
  private let stores: [Store]
  private let forms: [OpenForms]
  private let server: DaybookServer
  private let logger: Logger
  /// Standard error, for which no thread of the server waits.
  package static let log = QueuedLog()

  /// Opens the stores, and makes the ones that are not there.
  ///
  /// - Parameters:
  ///   - applications: The applications.
  ///   - directory: Where the stores are; made if it is not there.
  ///   - port: The port on the loopback address; 0 takes a free one.
  ///   - journal: The servers and the beginning of the names of the streams, one for each application, on which new stores
  ///     are replicated; `nil` for journals of their own.
  ///   - clock: The time by which forms are dropped; tests give another one.
  ///   - listening: Called with the port when the server accepts connections.
  /// - Throws: `StoreError` for a store that cannot be opened.
  package init(
    _ applications: [Application], in directory: String, port: Int, journal: ReplicatedJournal? = nil,
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    logger: Logger = Logger(label: "applications", factory: { ApplicationServer.log.handler(label: $0) }),
    listening: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
  ) throws {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    var options = StoreOptions()
    options.projections = [ActivityProjection()]
    stores = try applications.map { [options] application in
      var options = options
      options.journal = journal?.stream(of: application)
      return try application.openStore(in: directory, options: options)
    }
    forms = zip(applications, stores).map { OpenForms(of: $0, in: $1, clock: clock) }
    var configuration = ServerConfiguration(port: port, allowsWriting: true)
    configuration.ownPagesMayWrite = true
    self.logger = logger
    let parts = zip(zip(applications, stores), forms)
    server = try DaybookServer(
      mounting: parts.map { parts in
        let ((application, store), forms) = parts
        var mount = StoreMount(store, at: "/\(application.name)")
        mount.files = application.pageFiles
        mount.routes =
          ApplicationRoutes(application, store).routes + FormRoutes(forms).routes + [
            StreamRoute(application, store).route
          ]
        return mount
      },
      configuration: configuration, files: SupportFiles.all(for: applications), logger: logger, listening: listening)
  }

  /// Serves until SIGTERM or SIGINT, then closes the stores.
  package func run() async throws {
    defer {
      close()
      ApplicationServer.log.finish()
    }
    try await ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    ).run()
  }

  /// Closes the stores.
  package func close() {
    for store in stores { store.close() }
  }

  /// The number of open forms of all applications.
  package var formCount: Int { forms.reduce(0) { $0 + $1.count } }

  /// Drops the forms that were left, as is done every few seconds while there are any.
  package func sweepForms() {
    for forms in forms { forms.sweep() }
  }
}

private extension ReplicatedJournal {
  /// The journal of an application.
  func stream(of application: Application) -> ReplicatedJournal {
    var journal = self
    journal.address?.stream += "-\(application.name)"
    return journal
  }
}
