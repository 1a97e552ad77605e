import DaybookTestSupport
import Foundation

/// A run of the program `DiskWriter`.
enum DiskProcess {
  struct Ending {
    let output: String
    /// The exit status, or `nil` if a signal ended the process.
    let status: Int32?
  }

  /// The library between the program and its disk, or `nil` if it cannot be made here.
  ///
  /// The package manager makes a dynamic library only of a product, which every user of the package would see. So the
  /// tests compile this one themselves, with the compiler that links Swift programs.
  static let library: String? = {
    #if os(Linux)
    do { return try makeLibrary() } catch { return nil }
    #else
    return nil
    #endif
  }()

  static let reason = "it needs a library that is preloaded, which works on Linux with clang"

  /// Compiles `Tests/FaultyDisk` beside the built products, and returns the library's path.
  private static func makeLibrary() throws -> String {
    let products = try BuiltProduct.url("DiskWriter").deletingLastPathComponent()
    let library = products.appendingPathComponent("libFaultyDisk.so")
    var source = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    for _ in 0..<4 { source.deleteLastPathComponent() }
    source.appendPathComponent("FaultyDisk/FaultyDisk.c")
    // Two test runs may make it at once: each makes its own file, and the name changes hands whole.
    let unfinished = products.appendingPathComponent("libFaultyDisk.\(UUID()).so")
    try SmallDisk.run("clang", "-shared", "-fPIC", "-O1", "-o", unfinished.path, source.path, "-ldl", "-lpthread")
    guard rename(unfinished.path, library.path) == 0 else { throw Mismatch("cannot rename \(unfinished.path)") }
    return library.path
  }

  /// - Parameters:
  ///   - root: The directory to watch, or `nil` to run on the plain disk.
  ///   - log: The file for the log of calls.
  ///   - failure: The value of FAULTY_DISK_FAILURE.
  static func run(
    _ arguments: [String], watching root: String? = nil, log: String? = nil, failure: String? = nil
  ) throws -> Ending {
    let process = Process()
    process.executableURL = try BuiltProduct.url("DiskWriter")
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if let root {
      environment["LD_PRELOAD"] = library
      environment["FAULTY_DISK_ROOT"] = root
      environment["FAULTY_DISK_LOG"] = log
      environment["FAULTY_DISK_FAILURE"] = failure
    }
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : nil
    return Ending(output: String(decoding: data, as: UTF8.self), status: status)
  }
}
