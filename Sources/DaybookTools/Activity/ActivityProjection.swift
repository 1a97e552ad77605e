import Daybook
import DaybookModel

/// A ready-made projection that counts commits and events by day, author and entity.
///
///     var options = StoreOptions()
///     options.projections = [ActivityProjection()]
///     let store = try Store(at: path, options: options)
///     let activity = try store.activity()
///     print(activity.days.count, activity.commits)
///
/// A commit of a model touches no object and is not counted. Days are in UTC, by the time when a commit happened if it
/// is known, else by the time when it was recorded. The rows grow only with the days, authors and entities, not with
/// the number of events.
///
/// | table | key | value |
/// |---|---|---|
/// | `cells` | day (4, sign flipped), author (4), entity tag (2, 0: all) | commits, events (varints), last commit (8) |
/// | `authors` | number (4) | name |
/// | `numbers` | 1 and the name, or 0 and the SHA-256 of a name longer than 300 bytes | number (4) |
package struct ActivityProjection: Projection {
  package let name = "activity"
  package let version = 1
  package let mode: ProjectionMode
  package var isDeterministic: Bool { true }

  /// - Parameter mode: `.catchUp`, which costs writers nothing, or `.inline`.
  package init(mode: ProjectionMode = .catchUp) {
    self.mode = mode
  }

  package func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {
    if commit.isModel { return }
    try add(Int64(commit.eventCount), to: 0, of: commit, try author(of: commit, in: context), in: context)
  }

  package func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
    let commit = context.commit
    try add(1, to: event.entity, of: commit, try author(of: commit, in: context), in: context)
  }

  private func add(
    _ count: Int64, to entity: UInt16, of commit: ProjectedCommit, _ author: UInt32,
    in context: borrowing ProjectionContext
  ) throws {
    let key = ActivityKey(day: CivilDate(commit.time).daysSince1970, author: author, entity: entity).bytes
    var cell = try context.get(key, in: "cells").map { try ActivityCell($0) } ?? ActivityCell()
    cell.add(events: count, of: commit.position)
    try context.put(key, cell.bytes, in: "cells")
  }

  /// Returns the number of a commit's author, or 0 if the commit has no author.
  ///
  /// Numbers are assigned in the order in which authors first appear.
  private func author(of commit: ProjectedCommit, in context: borrowing ProjectionContext) throws -> UInt32 {
    guard let author = commit.author else { return 0 }
    let key = ActivityProjection.key(of: author)
    if let bytes = try context.get(key, in: "numbers") { return try ActivityKey.author(bytes) }
    let number = UInt32(clamping: try context.increment([], by: 1, in: "count"))
    var bytes: [UInt8] = []
    bytes.appendFixed(number)
    try context.put(key, bytes, in: "numbers")
    try context.put(bytes, Array(author.utf8), in: "authors")
    return number
  }

  private static func key(of author: String) -> [UInt8] {
    let name = Array(author.utf8)
    guard name.count > 300 else { return [1] + name }
    var key: [UInt8] = [0]
    key.append(Digest(hashing: name.rawSpan))
    return key
  }
}

/// The key of a cell.
struct ActivityKey: Hashable {
  var day: Int
  var author: UInt32
  var entity: UInt16

  init(day: Int, author: UInt32, entity: UInt16) {
    self.day = day
    self.author = author
    self.entity = entity
  }

  init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.rawSpan)
    // A timestamp is at most about 106 million days from 1970, so all days fit.
    day = Int(Int32(bitPattern: try reader.fixed(UInt32.self) ^ 1 << 31))
    author = try reader.fixed(UInt32.self)
    entity = try reader.fixed(UInt16.self)
  }

  static func author(_ bytes: [UInt8]) throws(MalformedBytes) -> UInt32 {
    var reader = ByteReader(bytes.rawSpan)
    return try reader.fixed(UInt32.self)
  }

  /// Returns the lower bound of the keys of a day and of all later days.
  static func start(of day: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendFixed(UInt32(bitPattern: Int32(clamping: day)) ^ 1 << 31)
    return bytes
  }

  var bytes: [UInt8] {
    var bytes = ActivityKey.start(of: day)
    bytes.appendFixed(author)
    bytes.appendFixed(entity)
    return bytes
  }
}

/// The numbers of commits and events of an author on a day, of one entity or in total.
struct ActivityCell: Hashable {
  var commits: Int64 = 0
  var events: Int64 = 0
  /// The last counted commit; its further events do not count the commit again.
  var last = Position.empty

  init() {}

  init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.rawSpan)
    commits = Int64(clamping: try reader.varint())
    events = Int64(clamping: try reader.varint())
    last = Position(try reader.fixed(UInt64.self))
  }

  mutating func add(events count: Int64, of position: Position) {
    // The numbers are read from the file, and no value may cause a trap.
    if last != position { commits &+= 1 }
    events &+= count
    last = position
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVarint(UInt64(clamping: commits))
    bytes.appendVarint(UInt64(clamping: events))
    bytes.appendFixed(last.number)
    return bytes
  }
}
