import Daybook
import DaybookTestSupport
import Foundation
import Synchronization

/// A writer to be killed: it writes commits and prints which ones were acknowledged.
///
///     CrashWriter STORE SEED FIRST DURABILITY MODE PROBE COUNT [PROJECTIONS]
///
/// The ids of commits follow from the seed and their number, beginning with FIRST, so a writer that is restarted with
/// the number of the first commit that was not acknowledged writes that commit again, under the same id. MODE is `one`
/// for a flush for each commit, or `batch` for several; with `rebuild` it rebuilds a projection after each, with
/// `tables` all built-in ones. With `read` nothing is written: the process prints that it reads, and holds a read
/// transaction; with `copy` it copies its open store to STORE.copy, and prints that it has. With a PROBE, the process
/// kills itself there, at its COUNT-th time. PROJECTIONS are `none`, or those that the writer knows, with plus signs between
/// them: `inline` and `catchUp` of ``ChainProjection``, `sizes-inline` and `sizes-catchUp` of ``SizeProjection``; the last
/// one is the one to rebuild.
@main
struct CrashWriter {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard (7...8).contains(arguments.count), let seed = UInt64(arguments[1]), let first = UInt64(arguments[2]),
      let count = Int(arguments[6])
    else {
      FileHandle.standardError.write(Data("CrashWriter: wrong arguments\n".utf8))
      exit(64)
    }
    var options = StoreOptions()
    options.durability = arguments[3] == "full" ? .full : .relaxed
    if let probe = WriteProbe(rawValue: arguments[5]) {
      let fuse = Fuse(count: count)
      options.probe = { if $0 == probe { fuse.burn() } }
    }
    for name in arguments.dropFirst(7).joined().split(separator: "+").map(String.init) {
      if let mode = ProjectionMode(rawValue: name) { options.projections.append(ChainProjection(name, mode: mode)) }
      if let sizes = SizeProjection(named: name) { options.projections.append(sizes) }
    }
    // Short steps have more ends at which the process can be killed.
    options.projectionBatchLimit = 3
    let writer = CrashWriter(store: try Store(at: arguments[0], options: options), seed: seed)
    if arguments[4] == "read" {
      try writer.store.read { _ in
        writer.acknowledge([(0, 0)])
        while true { sleep(60) }
      }
    }
    if arguments[4] == "copy" {
      try FileManager.default.copyItem(atPath: arguments[0], toPath: arguments[0] + ".copy")
      writer.acknowledge([(0, 0)])
      while true { sleep(60) }
    }
    var number = first
    while true {
      if arguments[4] == "batch" {
        number = try writer.writeBatch(from: number)
      } else {
        try writer.write(number)
        number += 1
        if arguments[4] == "tables" { try writer.store.rebuild() }
        if arguments[4] == "rebuild", let last = options.projections.last {
          try writer.store.projection(last.name).rebuild()
        }
      }
    }
  }

  let store: Store
  let seed: UInt64

  private func info(_ number: UInt64) -> CommitInfo {
    CommitInfo(author: "writer \(seed)", message: "\(number)", commitID: ObjectID(high: seed, low: number))
  }

  private func write(_ number: UInt64) throws {
    let position = try store.commit(info(number)) { try change($0, number) }.position
    acknowledge([(position, number)])
  }

  private func writeBatch(from first: UInt64) throws -> UInt64 {
    let written = try store.batch { batch in
      try (first..<first + 5).map { number in
        (try batch.commit(info(number)) { try change($0, number) }.position, number)
      }
    }
    acknowledge(written)
    return first + 5
  }

  /// Inserts a note with a tag, and sometimes an image, which another note gets too; deletes an old note, or its image.
  private func change(_ tx: borrowing Transaction, _ number: UInt64) throws {
    let id = note(number)
    try tx.insert("Note", ["title": .string("\(seed)-\(number)"), "size": .integer(Int64(number % 7))], id: id)
    let hasImages = tx.model.entities.first { $0.name == "Note" }?.attributes.contains { $0.name == "image" } ?? false
    if hasImages { try changeImages(tx, number) }
    let tag = try tx.fetch(Request(entity: "Tag", sort: [SortTerm(path: ["name"])], limit: 1)).rows.first
    if let tag { try tx.relate(id, "tag", to: tag.id) }
    let old = note(number &- 20)
    if number % 3 == 0, try tx.get(old) != nil { try tx.delete(old) }
  }

  private func note(_ number: UInt64) -> ObjectID { ObjectID(high: seed, low: 1 << 63 | number) }

  private func changeImages(_ tx: borrowing Transaction, _ number: UInt64) throws {
    if let bytes = CrashImage.bytes(seed: seed, number: number) {
      let image = try Value(bytes: bytes)
      try tx.set(note(number), ["image": image])
      let earlier = note(number &- 3)
      if number % 4 == 0, try tx.get(earlier) != nil { try tx.set(earlier, ["image": image]) }
    }
    let earlier = note(number &- 10)
    if number % 5 == 0, try tx.get(earlier) != nil { try tx.set(earlier, ["image": nil]) }
  }

  private func acknowledge(_ commits: [(Position, UInt64)]) {
    let lines = commits.map { "\($0) \($1)\n" }.joined()
    FileHandle.standardOutput.write(Data(lines.utf8))
  }
}

/// Kills the process after a number of calls.
private final class Fuse: Sendable {
  private let count: Mutex<Int>

  init(count: Int) { self.count = Mutex(count) }

  func burn() {
    let isBurnt = count.withLock { count in
      count -= 1
      return count <= 0
    }
    if isBurnt { kill(getpid(), SIGKILL) }
  }
}
