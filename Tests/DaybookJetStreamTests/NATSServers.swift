#if JetStream

import DaybookTestSupport
import Foundation

/// Servers of NATS on loopback, for one test, on free ports and with files of their own.
///
///     let servers = try NATSServers(count: 3)
///     let address = try servers.address("kitchen")
///
/// They end with the object. Debian's package is `nats-server`; without it the test fails.
final class NATSServers {
  private struct Server {
    let port: Int
    let configuration: String
    var process: Process?
  }

  private let directory: TemporaryDirectory
  private var servers: [Server] = []

  /// - Parameters:
  ///   - count: The number of servers, which form a cluster if there are several.
  ///   - settings: Further lines of each server's configuration.
  init(count: Int = 1, settings: (TemporaryDirectory) throws -> String = { _ in "" }) throws {
    directory = try TemporaryDirectory()
    let extra = try settings(directory)
    let ports = try NATSServers.freePorts(count * 2)
    let routes = ports.suffix(count).map { "nats://127.0.0.1:\($0)" }.joined(separator: ", ")
    for number in 0..<count {
      var text = """
        server_name: "s\(number)"
        listen: "127.0.0.1:\(ports[number])"
        jetstream { store_dir: "\(directory.path("s\(number)"))" }
        \(extra)

        """
      if count > 1 {
        text += "cluster { name: tests, listen: \"127.0.0.1:\(ports[count + number])\", routes: [\(routes)] }\n"
      }
      let file = directory.path("s\(number).conf")
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      servers.append(Server(port: ports[number], configuration: file))
    }
    for number in servers.indices { try start(number) }
  }

  deinit {
    for number in servers.indices { stop(number) }
  }

  /// The address of a stream on all servers.
  func address(_ stream: String, scheme: String = "nats") -> String {
    "\(scheme)://" + servers.map { "127.0.0.1:\($0.port)" }.joined(separator: ",") + "/\(stream)"
  }

  /// Starts a server that does not run, and waits until it takes connections.
  func start(_ number: Int) throws {
    let process = Process()
    process.executableURL = try NATSServers.executable()
    process.arguments = ["-c", servers[number].configuration, "-l", servers[number].configuration + ".log"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    servers[number].process = process
    let deadline = ContinuousClock.now + .seconds(20)
    while !NATSServers.isOpen(servers[number].port) {
      guard process.isRunning, ContinuousClock.now < deadline else {
        let log = (try? String(contentsOfFile: servers[number].configuration + ".log", encoding: .utf8)) ?? ""
        throw Mismatch("nats-server did not start: \(log.suffix(2_000))")
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  /// Kills a server, and waits for its end.
  func stop(_ number: Int) {
    guard let process = servers[number].process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    servers[number].process = nil
  }

  /// Lets a server stay silent: its system still takes connections, and nothing answers on them.
  ///
  /// Returns when all of its threads stand still: a busy machine lets them run on for a while.
  func suspend(_ number: Int) {
    guard let process = servers[number].process else { return }
    kill(process.processIdentifier, SIGSTOP)
    var state = siginfo_t()
    waitid(P_PID, id_t(process.processIdentifier), &state, WSTOPPED | WEXITED | WNOWAIT)
  }

  /// Lets a silent server answer again.
  func resume(_ number: Int) { servers[number].process.map { _ = kill($0.processIdentifier, SIGCONT) } }

  private static func executable() throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin"]
    guard let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "/nats-server") })
    else {
      throw Mismatch("nats-server is not installed: run Tools/setup --cluster.")
    }
    return URL(fileURLWithPath: folder + "/nats-server")
  }

  /// Returns ports that are free at present.
  private static func freePorts(_ count: Int) throws -> [Int] {
    var (sockets, ports): ([CInt], [Int]) = ([], [])
    defer { for socket in sockets { close(socket) } }
    while ports.count < count {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      sockets.append(descriptor)
      var address = loopback(0)
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
      }
      guard isBound else { throw Mismatch("There is no free port.") }
      ports.append(Int(UInt16(bigEndian: address.sin_port)))
    }
    return ports
  }

  private static func isOpen(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = loopback(UInt16(port))
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    return address
  }
}

#endif
