import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookRuntime

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Random damage to the files of a store.
///
/// The `daybook` command verifies each case in its own process.
///
/// Damage is *harmful* if it changes the meaning of the pages in use: the rows that are read, or the structure that
/// leads to them. This is decided from the bytes, without the code under test: damage that only touches pages which the
/// sound file does not use, or the unused space inside used ones, or fields that LMDB does not read, is *harmless*.
/// Every harmful case must be reported, none may end the command by a signal, and undamaged copies must have no faults.
@Suite(.hangLimit) struct DamageTests {
  private static let caseCount = Rounds.given("DAYBOOK_DAMAGE_CASES") ?? 300

  @Test func allHarmfulDamageIsReported() throws {
    let seed = Seeds.one
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    try BusyStore.make(at: path, seed: seed, commitCount: 40, hasLargeCommits: seed % 2 == 0)
    var laboratory = try DamageLaboratory(path: path, seed: seed)
    #expect(try laboratory.verify() == .init(status: 0, signal: 0), "seed \(seed): an undamaged store has faults")
    var reportedCount = 0
    // Some stores have more unused pages than others, where damage is harmless: they take more cases.
    for number in 0..<DamageTests.caseCount * 2 {
      if number >= DamageTests.caseCount, reportedCount > DamageTests.caseCount / 2 { break }
      let damage = try laboratory.damage()
      let outcome = try laboratory.verify()
      let name = "seed \(seed), case \(number): \(damage.description)"
      #expect(outcome.signal == 0, "\(name): ended by signal \(outcome.signal)")
      #expect([0, 1].contains(outcome.status), "\(name): status \(outcome.status)")
      if damage.isHarmful { #expect(outcome.status == 1, "\(name): not reported") }
      if outcome.status == 1 { reportedCount += 1 }
      try laboratory.repair()
      if number % 50 == 0 {
        #expect(try laboratory.verify() == .init(status: 0, signal: 0), "\(name): a repaired store has faults")
      }
    }
    #expect(reportedCount > DamageTests.caseCount / 2)
  }

  /// Branches of a tree in each other's places, which a read of a range does not always notice.
  @Test func branchesInEachOthersPlacesAreReported() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let entity = Entity(
      name: "Note", nameAttribute: "title", attributes: [Attribute(name: "title", type: .string)])
    let store = try Store(at: path, model: Model(entities: [entity]))
    try store.write { writer in
      for number in 0..<5_000 {
        try writer.insert("Note", ["title": .string("\(number) " + String(repeating: "x", count: 200))])
      }
    }
    store.close()
    let (journal, file) = ("\(path)/journal/data.mdb", "\(path)/projections/data.mdb")
    let trusting = try #require(FileManager.default.contents(atPath: journal))
    let sound = [UInt8](try #require(FileManager.default.contents(atPath: file)))
    let used = UsedBytes(sound)
    #expect(used.branches.count > 3)
    let seed = Seeds.one
    var random = SeededRandom(seed: seed)
    for _ in 0..<12 {
      let (first, second) = (random.pick(used.branches), random.pick(used.branches))
      var damaged = sound
      damaged.replaceSubrange(UsedBytes.page(first), with: sound[UsedBytes.page(second)])
      damaged.replaceSubrange(UsedBytes.page(second), with: sound[UsedBytes.page(first)])
      try Data(damaged).write(to: URL(fileURLWithPath: file))
      // A verification that finds damage notes in the journal that the projections are not to be read.
      try trusting.write(to: URL(fileURLWithPath: journal))
      let faults = try Store.verify(at: path).faults
      #expect(faults.isEmpty == (first == second), "seed \(seed): pages \(first) and \(second)")
    }
    try Data(sound).write(to: URL(fileURLWithPath: file))
    try trusting.write(to: URL(fileURLWithPath: journal))
    #expect(try Store.verify(at: path).faults.isEmpty)
  }
}

/// A store that is damaged and repaired in place, so that its files keep their identities.
struct DamageLaboratory {
  let path: String
  private var random: SeededRandom
  private let sound: [String: [UInt8]]
  private let pages: [String: UsedBytes]
  private let command: String
  private static let pageSize = 4_096

  struct Outcome: Equatable {
    var status: Int32
    var signal: Int32
  }

  struct Damage: CustomStringConvertible {
    var description: String
    var isHarmful: Bool
  }

  init(path: String, seed: UInt64) throws {
    self.path = path
    random = SeededRandom(seed: seed)
    let files = ["journal", "projections"].map { "\(path)/\($0)/data.mdb" }
    var sound: [String: [UInt8]] = [:]
    var pages: [String: UsedBytes] = [:]
    for file in files {
      let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file)))
      sound[file] = bytes
      pages[file] = UsedBytes(bytes)
    }
    self.sound = sound
    self.pages = pages
    command = try DamageLaboratory.findCommand()
  }

  /// Returns the path of the `daybook` command built together with the tests.
  static func findCommand() throws -> String {
    var directories = [
      Bundle.main.bundlePath, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path,
    ]
    directories += directories.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
    let found = directories.map { $0 + "/daybook" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    return try #require(found, "The command was not built: run `swift build`.")
  }

  /// Runs `daybook verify`.
  func verify() throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command)
    process.arguments = ["verify", path, "--json"]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? Outcome(status: process.terminationStatus, signal: 0)
      : Outcome(status: -1, signal: process.terminationStatus)
  }

  func repair() throws {
    for (file, bytes) in sound { try write(bytes, to: file) }
  }

  private func write(_ bytes: [UInt8], to file: String) throws {
    let handle = try #require(FileHandle(forWritingAtPath: file))
    try handle.truncate(atOffset: UInt64(bytes.count))
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  /// Damages one of the files.
  mutating func damage() throws -> Damage {
    let file = sound.keys.sorted()[random.number(0..<2)]
    guard let original = sound[file], let used = pages[file] else {
      return Damage(description: "none", isHarmful: false)
    }
    var bytes = original
    let size = DamageLaboratory.pageSize
    let pageCount = bytes.count / size
    var what: String
    switch random.number(0..<10) {
    case 0..<5:
      let count = [1, 1, 1, 3, 20][random.number(0..<5)]
      what = "\(count) bits flipped:"
      for _ in 0..<count {
        let offset = random.number(0..<bytes.count)
        bytes[offset] ^= 1 << UInt8(random.number(0..<8))
        what += " \(offset)"
      }
    case 5, 6:
      let page = random.number(0..<pageCount)
      bytes.replaceSubrange(page * size..<(page + 1) * size, with: [UInt8](repeating: 0, count: size))
      what = "page \(page) zeroed"
    case 7:
      let (first, second) = (random.number(0..<pageCount), random.number(0..<pageCount))
      let saved = Array(bytes[first * size..<(first + 1) * size])
      bytes.replaceSubrange(first * size..<(first + 1) * size, with: bytes[second * size..<(second + 1) * size])
      bytes.replaceSubrange(second * size..<(second + 1) * size, with: saved)
      what = "pages \(first) and \(second) exchanged"
    case 8:
      let length = random.number(0..<bytes.count)
      bytes.removeLast(bytes.count - length)
      what = "cut to \(length) bytes"
    default:
      let length = random.number(1..<100_000)
      bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      what = "exchanged by \(length) random bytes"
    }
    try write(bytes, to: file)
    return Damage(description: "\(file): \(what)", isHarmful: used.differ(bytes, from: original))
  }
}
