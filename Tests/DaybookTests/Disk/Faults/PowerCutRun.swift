import DaybookTestSupport
import Foundation

/// A store on a disk that loses power at any moment.
final class PowerCutRun {
  /// The state after a power cut.
  enum Result: Hashable {
    /// The store is intact except for a number of the last commits.
    ///
    /// The projections were trusted or not.
    case whole(lost: Int, keptProjections: Bool)
    /// A fault, or the signal that ended the checking process.
    case broken(String)
  }

  /// The run of the operating system in which the store is written.
  private static let firstBoot = "first"

  private let directory: TemporaryDirectory
  private let root: String
  /// A directory with all final files under their numbers, so that they keep them.
  private let stash: String
  private let log: DiskLog
  private var random: SeededRandom

  /// - Parameter work: The verb of `DiskWriter`.
  init(seed: UInt64, work: String = "write", durability: String = "full") throws {
    directory = try TemporaryDirectory()
    // The system's own path may contain links.
    let path = URL(fileURLWithPath: directory.path).resolvingSymlinksInPath().path
    (root, stash) = (path + "/root", path + "/stash")
    random = SeededRandom(seed: seed)
    for path in [root, stash] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    let ending = try DiskProcess.run(
      [work, root, "\(seed)", durability], watching: root, log: path + "/log")
    guard ending.status == 0 else { throw Mismatch("the writer failed: \(ending.output.suffix(2_000))") }
    log = try DiskLog(file: path + "/log")
    try keepFiles()
  }

  /// Cuts the power at random moments.
  ///
  /// - Parameters:
  ///   - boot: The run of the operating system in which the store is checked; it was written in the run `first`. In
  ///     another run, projections that were not flushed must not be trusted.
  ///   - loss: The number of the last commits that may be missing.
  ///   - isHard: Whether the power fails only in the second half of the store's life, and always with unflushed data.
  ///   - liesAboutFlushes: Whether the disk reports flushes that it has not done.
  func cut(
    _ count: Int, boot: String, loss: Int = 0, isHard: Bool = false, liesAboutFlushes: Bool = false
  ) throws -> [Result] {
    let first = isHard ? log.calls.count / 2 : 0
    let moments = (0..<count).map { _ in random.number(first...log.calls.count) }.sorted()
    return try cut(
      at: moments, boot: boot, loss: loss, keeping: isHard ? Self.hardPercents : [0, 20, 50, 80, 95, 100],
      liesAboutFlushes: liesAboutFlushes)
  }

  /// Cuts the power after each call in turn, always with unflushed data.
  func cutAfterEachCall(boot: String, loss: Int) throws -> [Result] {
    try cut(at: Array(0...log.calls.count), boot: boot, loss: loss, keeping: Self.hardPercents)
  }

  /// The shares of unflushed data that survive cuts that always tear something.
  private static let hardPercents = [20, 50, 80]

  private func cut(
    at moments: [Int], boot: String, loss: Int, keeping percents: [Int], liesAboutFlushes: Bool = false
  ) throws -> [Result] {
    var disk = SimulatedDisk(liesAboutFlushes: liesAboutFlushes)
    var done = 0
    return try moments.map { moment in
      while done < moment {
        disk.perform(log.calls[done])
        done += 1
      }
      let projectionsAreFlushed = try write(disk, keeping: percents)
      let result = try look(at: moment, boot: boot, loss: loss)
      if case .whole(_, keptProjections: true) = result, !projectionsAreFlushed, boot != Self.firstBoot {
        return .broken("cut at \(moment) of \(log.calls.count): projections that were not flushed were trusted")
      }
      return result
    }
  }

  /// Links all files in the stash, because the projections' files are known by their numbers.
  private func keepFiles() throws {
    for case .create(let file, _) in log.calls {
      // A deleted file gets another number when it is created again.
      guard let path = try path(ofFile: file), !FileManager.default.fileExists(atPath: "\(stash)/\(file)") else {
        continue
      }
      try FileManager.default.linkItem(atPath: path, toPath: "\(stash)/\(file)")
    }
  }

  private func path(ofFile number: UInt64) throws -> String? {
    guard let files = FileManager.default.enumerator(atPath: root) else { return nil }
    for case let name as String in files {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(root)/\(name)")
      if attributes[.type] as? FileAttributeType == .typeRegular,
        (attributes[.systemFileNumber] as? NSNumber)?.uint64Value == number
      {
        return "\(root)/\(name)"
      }
    }
    return nil
  }

  /// Replaces all files by the disk's contents.
  ///
  /// - Returns: Whether nothing of the projections was waiting to be flushed.
  private func write(_ disk: SimulatedDisk, keeping percents: [Int]) throws -> Bool {
    try FileManager.default.removeItem(atPath: root)
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    let state = disk.afterPowerCut(keeping: percents, &random)
    for name in state.directories {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    for (name, file) in state.files {
      let path = "\(root)/\(name)"
      let kept = "\(stash)/\(file.number)"
      if FileManager.default.fileExists(atPath: kept) { try FileManager.default.linkItem(atPath: kept, toPath: path) }
      // Overwritten in place, so that it stays the same file.
      guard let output = fopen(path, FileManager.default.fileExists(atPath: path) ? "r+" : "w") else {
        throw Mismatch("cannot write \(path)")
      }
      defer { fclose(output) }
      guard ftruncate(fileno(output), 0) == 0, fwrite(file.bytes, 1, file.bytes.count, output) == file.bytes.count
      else {
        throw Mismatch("cannot write \(path)")
      }
      // A file that the run has replaced is not in the stash. Else the one that takes its place could get its number, and
      // would be taken for it.
      if !FileManager.default.fileExists(atPath: kept) { try FileManager.default.linkItem(atPath: path, toPath: kept) }
    }
    return state.files["store/projections/data.mdb"]?.isFlushed ?? true
  }

  private func look(at moment: Int, boot: String, loss: Int) throws -> Result {
    let outcomes = directory.path("outcomes")
    try log.printed(before: moment).write(toFile: outcomes, atomically: false, encoding: .utf8)
    let ending = try DiskProcess.run(["check", root, boot, outcomes, "\(loss)"])
    let words = ending.output.split { $0 == " " || $0 == "," || $0 == "\n" }
    if ending.status == 0, words.count == 4, let lost = Int(words[1]) {
      return .whole(lost: lost, keptProjections: words[3] == "kept")
    }
    let reason = ending.status == nil ? "it ended by a signal" : "it failed"
    return .broken("cut at \(moment) of \(log.calls.count): \(reason): \(ending.output.suffix(1_000))")
  }
}
