import ApplicationSupport
import ArgumentParser
import Daybook
import DaybookJetStream
import DaybookTools
import Events
import First
import Foundation
import Recipes
import Todo
import Topics

/// The applications of five tutorials, in a browser.
@main struct Applications: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the example applications to a browser on this machine.",
    discussion: """
      Each application has a store of its own in the directory, which is made at the first start and opened again at each \
      other one. The program prints its address on standard output, and ends on SIGTERM or Ctrl-C.
      """)

  @Argument(help: "Where the stores are; a directory of the user's data by default.")
  var directory = Applications.dataDirectory

  @Option(help: ArgumentHelp("The port to listen on; 0 takes a free one.", valueName: "port"))
  var port = 8_650

  @Option(
    help: ArgumentHelp(
      "Servers and a name: nats://HOST:PORT/NAME. New stores are nodes of streams of NATS JetStream, NAME-todo and so on.",
      valueName: "address"))
  var journal: String?

  private static var dataDirectory: String {
    let places = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return (places.first ?? URL(filePath: ".")).appending(path: "daybook-applications").path
  }

  func validate() throws {
    if let problem = ForeignBytes.problem() { throw ValidationError(problem) }
    if !(0...65_535).contains(port) { throw ValidationError("--port takes a number from 0 to 65535.") }
  }

  func run() async throws {
    let applications = [
      try First.application(), try Todo.application(), try Recipes.application(), try Topics.application(),
      try Events.application(),
    ]
    let server = try ApplicationServer(
      applications, in: directory, port: port, journal: .jetStream(try journal.map { try JournalAddress(parsing: $0) }),
      listening: { port in
        // Unbuffered: a program that has started this one waits for the line.
        FileHandle.standardOutput.write(Data("listening on http://127.0.0.1:\(port)\n".utf8))
      })
    try await server.run()
  }
}
