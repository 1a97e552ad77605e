#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

/// Where a replicated journal is, and how the command identifies itself there.
struct JournalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The servers and the stream: nats://HOST:PORT,HOST:PORT/STREAM; tls:// encrypts.", valueName: "address"))
  var journal: String?

  @Option(help: ArgumentHelp("The credentials of a user, as nsc writes them.", valueName: "file"), completion: .file())
  var credentials: String?

  @Option(help: ArgumentHelp("The name of a user with a password.", valueName: "name"))
  var user: String?

  @Option(help: ArgumentHelp("A file whose first line is the password.", valueName: "file"), completion: .file())
  var passwordFile: String?

  @Option(
    help: ArgumentHelp("The authorities of the servers' certificates, as PEM; encrypts.", valueName: "file"),
    completion: .file())
  var ca: String?

  @Option(
    help: ArgumentHelp(
      "The name that the servers' certificates must be for; their host, if all have the same one.", valueName: "name"))
  var serverName: String?

  @Option(help: ArgumentHelp("The certificate of this client, as PEM.", valueName: "file"), completion: .file())
  var certificate: String?

  @Option(help: ArgumentHelp("The private key of the certificate, as PEM.", valueName: "file"), completion: .file())
  var key: String?

  func validate() throws {
    if (certificate == nil) != (key == nil) { throw ValidationError("--certificate and --key go together.") }
    if passwordFile != nil, user == nil { throw ValidationError("--password-file needs --user.") }
    let hasOptions = [credentials, user, ca, serverName, certificate].contains { $0 != nil }
    if hasOptions, journal == nil { throw ValidationError("Options of the servers need --journal.") }
  }

  /// Returns the address with the absolute paths of the files, or `nil` if none was given.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if it cannot be read.
  func address() throws -> JournalAddress? {
    guard let journal else { return nil }
    return try JournalAddress(
      parsing: journal, credentialsFile: JournalOptions.absolute(credentials), user: user,
      passwordFile: JournalOptions.absolute(passwordFile), authorityFile: JournalOptions.absolute(ca),
      serverName: serverName, certificateFile: JournalOptions.absolute(certificate),
      keyFile: JournalOptions.absolute(key))
  }

  /// Later commands run in other directories.
  private static func absolute(_ path: String?) throws -> String? {
    guard let path else { return nil }
    if !path.hasPrefix("/"), let problem = ForeignBytes.workingDirectoryProblem() { throw ValidationError(problem) }
    return URL(fileURLWithPath: path).standardizedFileURL.path
  }
}

/// The option of commands that make a stream.
struct ReplicasOption: ParsableArguments {
  @Option(help: ArgumentHelp("How many servers keep each message of the journal.", valueName: "count"))
  var replicas = 1

  func validate() throws {
    if ![1, 3, 5].contains(replicas) { throw ValidationError("--replicas takes 1, 3 or 5.") }
  }
}

#endif
