import DaybookModel

/// How much was written, by day, author and entity: the projection that the store brings along.
///
///     var options = StoreOptions()
///     options.projections = [ActivityProjection()]
///     let store = try Store(at: path, options: options)
///     let activity = try store.activity()
///     print(activity.days.count, activity.commits)
///
/// A commit of a model touches no object and is not counted. Days are those of UTC on which commits happened, else were recorded. Nothing grows with the number of events but by
/// the days, authors and entities that there are.
///
/// | table | key | value |
/// |---|---|---|
/// | `cells` | day (4, sign flipped), author (4), entity tag (2; 0 for all) | commits and events (varints), last commit (8) |
/// | `authors` | number (4) | name |
/// | `numbers` | name, or the SHA-256 of one longer than 300 bytes behind a zero | number (4) |
public struct ActivityProjection: Projection {
  public let name = "activity"
  public let version = 1
  public let mode: ProjectionMode

  /// - Parameter mode: `.catchUp`, which costs writers nothing, or `.inline`.
  public init(mode: ProjectionMode = .catchUp) {
    self.mode = mode
  }

  public func begin(_ commit: ProjectedCommit, in context: borrowing ProjectionContext) throws {
    if commit.isModel { return }
    try add(Int64(commit.eventCount), to: 0, of: commit, try author(of: commit, in: context), in: context)
  }

  public func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
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

  /// The number of a commit's author; numbers are given in the order in which authors come. 0 is nobody.
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
    key.append(Digest(hashing: name.span.bytes))
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
    var reader = ByteReader(bytes.span.bytes)
    // A clock gives 106 billion days at most; all of them fit.
    day = Int(Int32(bitPattern: try reader.fixed(UInt32.self) ^ 1 << 31))
    author = try reader.fixed(UInt32.self)
    entity = try reader.fixed(UInt16.self)
  }

  static func author(_ bytes: [UInt8]) throws(MalformedBytes) -> UInt32 {
    var reader = ByteReader(bytes.span.bytes)
    return try reader.fixed(UInt32.self)
  }

  /// The first bytes of all cells of a day and later ones.
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

/// What was written on a day by an author, of an entity or altogether.
struct ActivityCell: Hashable {
  var commits: Int64 = 0
  var events: Int64 = 0
  /// The last commit that was counted; another event of it is none of another commit.
  var last = Position.empty

  init() {}

  init(_ bytes: [UInt8]) throws(MalformedBytes) {
    var reader = ByteReader(bytes.span.bytes)
    commits = Int64(clamping: try reader.varint())
    events = Int64(clamping: try reader.varint())
    last = Position(try reader.fixed(UInt64.self))
  }

  mutating func add(events count: Int64, of position: Position) {
    // What is there is read from the file, and must not trap whatever it is.
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
