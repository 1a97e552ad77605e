import DaybookTestSupport
import Foundation

/// A run of the program `DiskWriter`.
enum DiskProcess {
  struct Ending {
    let output: String
    /// The exit status, or `nil` if a signal ended the process.
    let status: Int32?
  }

  /// The library between the program and its disk, or `nil` if it is not available.
  static var library: String? {
    #if os(Linux)
      (try? BuiltProduct.url("libFaultyDisk.so"))?.path
    #else
      nil
    #endif
  }

  static let reason = "it needs a library that is preloaded, which works on Linux"

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
