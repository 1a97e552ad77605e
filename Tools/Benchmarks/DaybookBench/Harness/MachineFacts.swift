import Foundation

/// What the numbers depend on besides the code.
struct MachineFacts: Codable {
  let processorCount: Int
  let processor: String
  let architecture: String
  let memoryInBytes: UInt64
  let operatingSystem: String
  let fileSystem: String
  let isOptimized: Bool
  let lmdbVersion: String
  let sqliteVersion: String

  /// - Parameter directory: Where the benchmarks write.
  init(writingTo directory: URL, sqliteVersion: String) {
    processorCount = ProcessInfo.processInfo.activeProcessorCount
    processor = Self.processorName() ?? "unknown processor"
    #if arch(x86_64)
    architecture = "x86-64"
    #elseif arch(arm64)
    architecture = "arm64"
    #else
    architecture = "other"
    #endif
    memoryInBytes = ProcessInfo.processInfo.physicalMemory
    operatingSystem = ProcessInfo.processInfo.operatingSystemVersionString
    fileSystem = Self.fileSystem(of: directory) ?? "unknown file system"
    #if DEBUG
    isOptimized = false
    #else
    isOptimized = true
    #endif
    lmdbVersion = BaselineStore.engineVersion
    self.sqliteVersion = sqliteVersion
  }

  var text: String {
    let gibibytes = Int((Double(memoryInBytes) / 1_073_741_824).rounded())
    var lines = [
      "\(processorCount) processors (\(processor), \(architecture)), \(gibibytes) GiB, \(operatingSystem), \(fileSystem)",
      "\(lmdbVersion); SQLite \(sqliteVersion); clock \(ContinuousClock().minimumResolution)",
    ]
    if !isOptimized { lines.append("warning: a debug build; its ratios mean nothing") }
    if fileSystem == "tmpfs" { lines.append("warning: a file system in memory; a flush costs nothing here") }
    return lines.joined(separator: "\n")
  }

  private static func processorName() -> String? {
    // Only Linux has this file; elsewhere the architecture has to do.
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The type of the file system that holds the directory, which is the file system of the deepest mount above it.
  private static func fileSystem(of directory: URL) -> String? {
    // Only Linux has this file.
    guard let mounts = try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8) else { return nil }
    let path = directory.resolvingSymlinksInPath().path(percentEncoded: false)
    let fields = mounts.split(separator: "\n").map { $0.split(separator: " ") }
    let holding = fields.filter { $0.count > 2 && ($0[1] == "/" || path == $0[1] || path.hasPrefix("\($0[1])/")) }
    return holding.max { $0[1].count < $1[1].count }.map { String($0[2]) }
  }
}
