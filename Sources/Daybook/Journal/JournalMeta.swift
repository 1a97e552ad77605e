import DaybookModel
import LMDB

/// What the journal's environment keeps beside the commits.
enum JournalMeta {
  /// The format of the store as a whole; a newer one is refused by name.
  static let formatVersion: UInt64 = 1

  static let format = Array("format".utf8)
  static let storeID = Array("store id".utf8)
  /// The positions of all commits of a model, eight bytes each; the last one is the model head.
  static let models = Array("models".utf8)
  /// See ``TrustMarker``.
  static let trusted = Array("trusted projections".utf8)
}

extension LMDBJournal {
  func meta(_ key: [UInt8]) throws -> [UInt8]? {
    guard let value = try snapshot.value(for: key, in: tables.meta) else { return nil }
    return [UInt8](value)
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

/// For which boot and which file the projections are trusted.
///
/// The projections are never flushed for durability, so after an operating-system crash their file may be torn, and a
/// copied directory may hold half of a transaction. The marker is in the journal, which is flushed: it is written
/// before the first change to the projections in a boot, and says "clean" only after they were flushed and closed.
struct TrustMarker: Hashable {
  var boot: String
  var file: FileIdentity
  /// Whether the projections were flushed after their last change, so that another boot may trust them too.
  var isClean: Bool

  init(boot: String, file: FileIdentity, isClean: Bool) {
    self.boot = boot
    self.file = file
    self.isClean = isClean
  }

  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes.span.bytes)
    // A marker that cannot be read trusts nothing: the projections are built again.
    guard let flag = try? reader.byte(), let device = try? reader.fixed(UInt64.self),
      let inode = try? reader.fixed(UInt64.self), let boot = try? reader.text()
    else { return nil }
    self.init(boot: boot, file: FileIdentity(device: device, inode: inode), isClean: flag == 1)
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = [isClean ? 1 : 0]
    bytes.appendFixed(file.device)
    bytes.appendFixed(file.inode)
    bytes.appendText(boot)
    return bytes
  }

  /// Whether projections in this file may be used in this boot. An unknown boot trusts only what was closed cleanly.
  func trusts(_ file: FileIdentity, boot: String) -> Bool {
    self.file == file && (isClean || (!boot.isEmpty && self.boot == boot))
  }
}
