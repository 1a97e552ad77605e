import Daybook
import DaybookTestSupport
import Foundation

/// Checks that a store after a crash or disk failure has all acknowledged data and continues.
struct DiskCheck {
  let root: String
  let boot: String
  let outcomes: Outcomes

  private var path: String { root + "/store" }

  func run(allowingLossOf loss: Int) throws {
    do {
      let (lost, isNew) = try check(allowingLossOf: loss)
      say("lost \(lost), projections \(isNew ? "new" : "kept")")
    } catch {
      say("\(error)")
      exit(1)
    }
  }

  private func check(allowingLossOf loss: Int) throws -> (lost: Int, hasNewProjections: Bool) {
    guard FileManager.default.fileExists(atPath: path) else {
      if let first = outcomes.done.first { throw Mismatch("there is no store, but commit \(first) was done") }
      return (0, true)
    }
    // The node alone has the commits of its stream.
    let server = try JournalFile(in: StoreDirectory(path)).map { try MemoryServer(replacing: $0.address) }
    let projections = projectionsNumber()
    var options = StoreOptions()
    options.bootIdentifier = boot
    options.snapshotIntervalInEvents = 0
    let store = try Store(at: path, options: options)
    let isNew = projectionsNumber() != projections
    let lost = try compare(store, loss: loss)
    try resolveUnknown(store)
    for number in 0..<5 {
      try store.write { try DiskWork.change($0, title: "later \(number)", size: 500) }
    }
    try readSnapshots(store)
    try readBodies(store)
    if let server { try compareWithAnotherNode(store, server.address) }
    try closeAndVerify(store)
    try restoreBackups()
    return (lost, isNew)
  }

  /// Checks that the stream has all commits of a node.
  private func compareWithAnotherNode(_ store: Store, _ address: JournalAddress) throws {
    let other = try Replication.join(at: root + "/other", options: StoreOptions().replicated(on: address))
    guard try other.position == store.position else { throw Mismatch("the stream ends at \(try other.position)") }
    try closeAndVerify(other)
    try FileManager.default.removeItem(atPath: root + "/other")
  }

  /// Checks that each note has its body, also if it is a large value.
  private func readBodies(_ store: Store) throws {
    for note in try store.fetch(Request(entity: "Note")).rows {
      guard case .integer(let size) = note["size"] else { throw Mismatch("\(note.id) has no size") }
      let body = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: Int(size))
      guard try note["body"].data() == body else { throw Mismatch("\(note.id) has another body") }
    }
  }

  /// Returns the number of the projections' file, which changes if they were discarded.
  private func projectionsNumber() -> UInt64? {
    // The file may be missing.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/projections/data.mdb")
    return (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value
  }

  /// Checks that each commit is at its acknowledged position.
  ///
  /// - Returns: The number of missing commits.
  private func compare(_ store: Store, loss: Int) throws -> Int {
    let positions = try committed(store)
    let missing = outcomes.done.filter { positions[DiskWork.commitID($0.number)] != $0.position }
    guard missing.count <= loss, missing.allSatisfy({ positions[DiskWork.commitID($0.number)] == nil }),
      missing.elementsEqual(outcomes.done.suffix(missing.count), by: { $0 == $1 })
    else { throw Mismatch("these are not where they were done: \(missing)") }
    for number in outcomes.refused where positions[DiskWork.commitID(number)] != nil {
      throw Mismatch("commit \(number) was refused, and is there")
    }
    return missing.count
  }

  private func committed(_ store: Store) throws -> [ObjectID: Position] {
    var positions: [ObjectID: Position] = [:]
    var log = try store.log(from: 1)
    var next = Position(1)
    while let commit = try log.next() {
      guard commit.position == next else { throw Mismatch("commit \(commit.position) follows \(next)") }
      next = Position(next.number + 1)
      guard let id = commit.commitID else { continue }
      guard positions.updateValue(commit.position, forKey: id) == nil else { throw Mismatch("\(id) is there twice") }
    }
    return positions
  }

  /// Writes each commit of unknown outcome again, and checks that it then exists once.
  private func resolveUnknown(_ store: Store) throws {
    for number in outcomes.unknown {
      let before = try committed(store)[DiskWork.commitID(number)]
      let info = CommitInfo(commitID: DiskWork.commitID(number))
      let answer = try store.commit(info) { try DiskWork.change($0, title: "again \(number)", size: 10) }
      guard (before != nil) == (answer.result == nil), before ?? answer.position == answer.position,
        try committed(store)[DiskWork.commitID(number)] == answer.position
      else { throw Mismatch("commit \(number) was at \(String(describing: before)), and then at \(answer.position)") }
    }
  }

  /// Checks that the store lists each named snapshot, and keeps it after reading it.
  private func readSnapshots(_ store: Store) throws {
    let names = try snapshotNames()
    for name in names {
      guard let snapshot = store.snapshots.first(where: { "\($0.position)" == name }) else {
        throw Mismatch("snapshot \(name) is not known")
      }
      // A snapshot beyond the head, after the loss of commits with relaxed durability, is not used.
      guard try snapshot.position < store.position else { continue }
      _ = try store.at(snapshot.position).fetch(Request(entity: "Note"))
    }
    let left = try snapshotNames()
    guard left == names else { throw Mismatch("of the snapshots \(names) only \(left) were whole") }
  }

  private func snapshotNames() throws -> [String] {
    guard FileManager.default.fileExists(atPath: path + "/snapshots") else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path + "/snapshots").filter { !$0.hasPrefix(".") }
      .sorted()
  }

  /// Checks that each named backup is complete.
  private func restoreBackups() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: root) where name.hasPrefix("backup-") {
      try Store.restore("\(root)/\(name)", to: "\(root)/restored")
      try FileManager.default.removeItem(atPath: root + "/restored")
    }
  }
}
