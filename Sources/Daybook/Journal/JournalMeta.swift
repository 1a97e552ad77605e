import DaybookModel
import LMDB

/// What the journal's environment keeps beside the commits: rows that end in a seal, because no hash of a commit covers
/// them.
enum JournalMeta {
  /// The format of the store as a whole; a newer one is refused by name.
  static let formatVersion: UInt64 = 1

  static let format = Array("format".utf8)
  static let storeID = Array("store id".utf8)
  /// The positions of all commits of a model, eight bytes each; the last one is the model head.
  static let models = Array("models".utf8)
  /// See ``TrustMarker``.
  static let trusted = Array("trusted projections".utf8)

  /// A row's value with its seal: the first eight bytes of the SHA-256 of key and value.
  static func sealed(_ value: [UInt8], for key: [UInt8]) -> [UInt8] {
    var bytes = value
    bytes.appendFixed(seal(value[...], for: key))
    return bytes
  }

  /// A row's value without its seal; nil if the two do not match.
  static func opened(_ bytes: [UInt8], for key: [UInt8]) -> [UInt8]? {
    guard bytes.count >= sealSize else { return nil }
    let value = bytes.dropLast(sealSize)
    var expected: [UInt8] = []
    expected.appendFixed(seal(value, for: key))
    return bytes.suffix(sealSize).elementsEqual(expected) ? Array(value) : nil
  }

  private static let sealSize = 8

  private static func seal(_ value: ArraySlice<UInt8>, for key: [UInt8]) -> UInt64 {
    let bytes = key + value
    return Digest(hashing: bytes.span.bytes).words.0
  }
}

extension WriteTransaction {
  /// Puts a row beside the commits, with its seal.
  mutating func putMeta(_ key: [UInt8], _ value: [UInt8], in tables: JournalTables) throws(LMDBError) {
    try put(key, JournalMeta.sealed(value, for: key), in: tables.meta)
  }
}

extension LMDBJournal {
  /// The value of a row, nil if there is none.
  ///
  /// - Throws: `StoreError` with the code `damaged` if it is not what was written.
  func meta(_ key: [UInt8]) throws -> [UInt8]? {
    guard let bytes = try snapshot.value(for: key, in: tables.meta) else { return nil }
    if let value = JournalMeta.opened([UInt8](bytes), for: key) { return value }
    throw StoreError(
      .damaged, "The journal's row “\(String(decoding: key, as: UTF8.self))” is damaged.",
      advice: "Run `daybook verify`, and restore a backup.")
  }

  /// For which projections the journal vouches; nil if it does not say, or the row is damaged: then they are built
  /// again.
  func trustMarker() -> TrustMarker? {
    guard let bytes = try? meta(JournalMeta.trusted) else { return nil }
    return TrustMarker(bytes)
  }

  package func modelPositions() throws -> [Position] {
    guard let bytes = try meta(JournalMeta.models) else { return [] }
    var reader = ByteReader(bytes.span.bytes)
    var positions: [Position] = []
    while !reader.isAtEnd { positions.append(Position(try reader.fixed(UInt64.self))) }
    return positions
  }
}

extension ResolvedModel {
  /// Reads a model from the body of its commit.
  convenience init(body: RawSpan, at position: Position) throws {
    do {
      try self.init(stored: JSONValue(parsing: [UInt8](body)))
    } catch {
      throw StoreError(
        .damaged, "The model of commit \(position) cannot be read: \(error)", advice: "Run `daybook verify`.")
    }
  }
}

/// For which run of the volume and which file the projections are trusted.
///
/// The projections are never flushed for durability, so after an operating-system crash, or after their volume was
/// pulled out, their file may be torn, and a copied directory may hold half of a transaction. The marker is in the
/// journal, which is flushed: it is written before the first change to the projections in a run, and says "clean" only
/// after they were flushed and closed. A journal without a marker trusts no projections.
struct TrustMarker: Hashable {
  var run: VolumeRun
  var file: FileIdentity
  /// Whether the projections were flushed after their last change, so that another run may trust them too.
  var isClean: Bool
  /// The version of the tables' rows: see ``ProjectionState/version``.
  var version = ProjectionState.version

  init(run: VolumeRun, file: FileIdentity, isClean: Bool) {
    self.run = run
    self.file = file
    self.isClean = isClean
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes.span.bytes)
    // A marker that cannot be read trusts nothing: the projections are built again.
    guard let flag = try? reader.byte(), let device = try? reader.fixed(UInt64.self),
      let inode = try? reader.fixed(UInt64.self), let boot = try? reader.text()
    else { return nil }
    // Stores of earlier versions name no mount, so no present mount is equal to theirs.
    let mount = (try? reader.fixed(UInt64.self)) ?? .max
    self.init(
      run: VolumeRun(boot: boot, mount: mount), file: FileIdentity(device: device, inode: inode), isClean: flag == 1)
    // They do not name a version of the rows either, which was the first one.
    version = (try? reader.varint()) ?? 1
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = [isClean ? 1 : 0]
    bytes.appendFixed(file.device)
    bytes.appendFixed(file.inode)
    bytes.appendText(run.boot)
    bytes.appendFixed(run.mount)
    bytes.appendVarint(version)
    return bytes
  }

  /// Whether projections in this file may be used in this run.
  func trusts(_ file: FileIdentity, in run: VolumeRun) -> Bool {
    version == ProjectionState.version && self.file == file && (isClean || run.keepsPages(of: self.run))
  }
}
