import DaybookTestSupport
import Foundation

/// A disk that performs a log of calls, until the power fails.
///
/// A file's contents are flushed with the file; of unflushed contents any sectors may be present. Names are kept like
/// in a file system with a journal: in order, at least up to the last one that was flushed with its directory.
struct SimulatedDisk {
  private var files: [UInt64: SimulatedFile] = [:]
  /// All changes of names so far; `durableCount` of them are durable.
  private var changes: [DiskLog.Call] = []
  private var durableCount = 0
  /// Whether the disk reports flushes that it has not done.
  let liesAboutFlushes: Bool

  init(liesAboutFlushes: Bool = false) {
    self.liesAboutFlushes = liesAboutFlushes
  }

  mutating func perform(_ call: DiskLog.Call) {
    switch call {
    case .write(let file, let offset, let bytes): files[file, default: SimulatedFile()].write(bytes, at: offset)
    case .resize(let file, let size): files[file, default: SimulatedFile()].resize(to: size)
    case .flush(let file):
      if !liesAboutFlushes { files[file]?.flush() }
    case .flushDirectory(let path):
      durableCount = max(durableCount, (changes.lastIndex { $0.touches(path) } ?? -1) + 1)
    case .create(let file, _):
      // A removed file may have had the same number.
      files[file] = SimulatedFile()
      changes.append(call)
    case .makeDirectory, .rename, .remove: changes.append(call)
    case .print, .failure: break
    }
  }

  /// A file as it is found after a loss of power.
  struct FoundFile {
    let number: UInt64
    let bytes: [UInt8]
    /// Whether nothing of the file was waiting to be flushed.
    let isFlushed: Bool
  }

  /// Returns the contents after a loss of power.
  ///
  /// - Parameter percents: The percentage of unflushed sectors that are present, drawn for each file.
  /// - Returns: All directories, from the top down; and the files by their paths.
  func afterPowerCut(
    keeping percents: [Int], _ random: inout SeededRandom
  ) -> (directories: [String], files: [String: FoundFile]) {
    var names: [String: UInt64] = [:]
    var directories: Set<String> = []
    for change in changes.prefix(random.number(durableCount...changes.count)) {
      change.apply(&names, &directories)
    }
    var result: [String: FoundFile] = [:]
    for (path, number) in names.sorted(by: { $0.key < $1.key }) {
      let file = files[number] ?? SimulatedFile()
      let bytes = file.afterPowerCut(keeping: random.pick(percents), &random)
      result[path] = FoundFile(number: number, bytes: bytes, isFlushed: file.isFlushed)
    }
    return (directories.sorted(), result)
  }
}

extension DiskLog.Call {
  /// Returns whether the call changes names in a directory.
  fileprivate func touches(_ directory: String) -> Bool {
    switch self {
    case .create(_, let path), .makeDirectory(let path), .remove(let path):
      (path as NSString).deletingLastPathComponent == directory
    case .rename(let path, let target):
      (path as NSString).deletingLastPathComponent == directory
        || (target as NSString).deletingLastPathComponent == directory
    default: false
    }
  }

  fileprivate func apply(_ names: inout [String: UInt64], _ directories: inout Set<String>) {
    switch self {
    case .create(let file, let path): names[path] = file
    case .makeDirectory(let path): directories.insert(path)
    case .remove(let path):
      names[path] = nil
      directories.remove(path)
    case .rename(let path, let target):
      func moved(_ name: String) -> String? {
        name == path || name.hasPrefix(path + "/") ? target + name.dropFirst(path.count) : nil
      }
      for (name, file) in names {
        guard let moved = moved(name) else { continue }
        names[name] = nil
        names[moved] = file
      }
      directories = Set(directories.map { moved($0) ?? $0 })
    default: break
    }
  }
}
