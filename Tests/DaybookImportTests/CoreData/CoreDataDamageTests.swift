#if Import

import CZlib
import DaybookTestSupport
import Foundation
import GRDB
import Testing

@testable import DaybookImport

/// Damaged bytes: each reader returns or throws `ImportError`; none traps, hangs or throws anything else.
@Suite(.hangLimit, CoreDataFiles.needed)
struct CoreDataDamageTests {
  /// The number of damaged files for each kind.
  private static let rounds = Rounds.of(200, "DAYBOOK_IMPORT_ROUNDS")

  private func tryAll(_ bytes: [UInt8], _ name: String, _ read: ([UInt8]) throws -> Void) {
    var refusalCount = 0
    for seed in Seeds.list(CoreDataDamageTests.rounds) {
      var random = SeededRandom(seed: seed)
      do {
        try read(random.damaged(bytes))
      } catch is ImportError {
        refusalCount += 1
      } catch {
        Issue.record("\(name), seed \(seed): \(error)")
      }
    }
    #expect(refusalCount > 0 || Seeds.given != nil, "\(name)")
  }

  private func archive(_ store: CoreDataFiles.Store) throws -> (compressed: [UInt8], plain: [UInt8]) {
    let found = try CoreDataStore(store.path).file.read {
      try Row.fetchOne($0, sql: "SELECT Z_CONTENT FROM Z_MODELCACHE")?.bytes(0)
    }
    let content = try #require(found)
    return (content, try Inflater.inflate(content, name: "test"))
  }

  @Test("the reader of archives of models returns or throws", arguments: CoreDataFiles.storesWithModel)
  func archives(_ store: CoreDataFiles.Store) throws {
    let plain = try archive(store).plain
    tryAll(plain, "archive") { bytes in
      let model = try CompiledModelReader.read(archive: bytes, origin: "damaged")
      _ = try SourceLookup(model, origin: "damaged")
    }
  }

  @Test("the reader of deflate data returns or throws", arguments: CoreDataFiles.storesWithModel)
  func deflate(_ store: CoreDataFiles.Store) throws {
    tryAll(try archive(store).compressed, "deflate") {
      _ = try CompiledModelReader.read(compressed: $0, origin: "damaged")
    }
  }

  @Test("random bytes are not property lists, archives or deflate data")
  func random() throws {
    for seed in Seeds.list(CoreDataDamageTests.rounds * 5) {
      var random = SeededRandom(seed: seed)
      var bytes = (0..<random.number(0...400)).map { _ in UInt8(random.number(0...255)) }
      #expect(throws: ImportError.self, "seed \(seed)") { try BinaryPlist(bytes, name: "random") }
      bytes = Array("bplist00".utf8) + bytes
      if bytes.count > 40 {
        // A trailer that fits, so that the objects are read.
        bytes.replaceSubrange(bytes.count - 32..<bytes.count - 24, with: [0, 0, 0, 0, 0, 0, 1, 1])
        bytes.replaceSubrange(bytes.count - 24..<bytes.count - 16, with: [0, 0, 0, 0, 0, 0, 0, 4])
        bytes.replaceSubrange(bytes.count - 16..<bytes.count - 8, with: [0, 0, 0, 0, 0, 0, 0, 0])
        bytes.replaceSubrange(
          bytes.count - 8..<bytes.count, with: [0, 0, 0, 0, 0, 0, 0, UInt8(min(255, bytes.count - 36))])
      }
      if let list = try? BinaryPlist(bytes, name: "random") {
        for number in 0..<list.count { _ = try? list.object(number) }
      }
      _ = try? Inflater.inflate(bytes, name: "random")
    }
  }

  @Test("an archive that refers to one list many times ends with an error")
  func amplification() throws {
    let plist = try BinaryPlist(amplified(), name: "amplified")
    #expect(throws: ImportError.self) {
      var archive = try KeyedArchive(plist)
      for _ in 0..<1_000_000 { _ = try archive.elements(archive.root) }
    }
  }

  /// An archive whose root is a list of a thousand references.
  private func amplified() -> [UInt8] {
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    func add(_ object: [UInt8]) {
      offsets.append(bytes.count)
      bytes += object
    }
    func text(_ text: String) -> [UInt8] { [UInt8(0x50 + text.utf8.count)] + Array(text.utf8) }
    add([0xD2, 1, 2, 3, 4])
    add(text("$objects"))
    add(text("$top"))
    add([0xA1, 7])
    add([0xD1, 5, 6])
    add(text("root"))
    add([0x80, 0])
    add([0xAF, 0x11, 0x03, 0xE8] + [UInt8](repeating: 6, count: 1000))
    let table = bytes.count
    for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 0xff)] }
    bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(offsets.count)] + [UInt8](repeating: 0, count: 8)
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: table >> (56 - 8 * $0)) }
    return bytes
  }

  @Test("data that decompresses to gigabytes ends with an error")
  func bomb() throws {
    // Stored, it is a few hundred kilobytes of repeated blocks.
    var stream = z_stream()
    #expect(
      deflateInit2_(
        &stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    defer { deflateEnd(&stream) }
    var (output, zeros, piece) = (
      [UInt8](), [UInt8](repeating: 0, count: 1 << 20), [UInt8](repeating: 0, count: 1 << 16)
    )
    for round in 0..<80 {
      zeros.withUnsafeMutableBufferPointer { source in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        repeat {
          let count = piece.withUnsafeMutableBufferPointer { target -> Int in
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(target.count)
            _ = CZlib.deflate(&stream, round == 79 ? Z_FINISH : Z_NO_FLUSH)
            return target.count - Int(stream.avail_out)
          }
          output += piece[..<count]
        } while stream.avail_out == 0
      }
    }
    #expect { try Inflater.inflate(output, name: "bomb") } throws: { "\($0)".contains("64 MiB") }
  }

  @Test("the reader of models in XML returns or throws")
  func models() throws {
    for path in CoreDataFiles.models.prefix(12) {
      let bytes = try SharedData.bytes(path)
      tryAll(bytes, path) { bytes in
        _ = try SourceLookup(try ModelFileReader.read(bytes, name: nil, origin: "damaged"), origin: "damaged")
      }
    }
  }

  @Test("the reader of stores and their -wal returns or throws", arguments: CoreDataFiles.stores)
  func stores(_ store: CoreDataFiles.Store) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.copy(store.path)
    let hasLog = FileManager.default.fileExists(atPath: path + "-wal")
    let (bytes, log) = (try SharedData.bytes(path), hasLog ? try SharedData.bytes(path + "-wal") : [])
    for seed in Seeds.list(CoreDataDamageTests.rounds / 4) {
      var random = SeededRandom(seed: seed)
      let isLog = hasLog && random.isOneIn(2)
      try directory.write(isLog ? bytes : random.damaged(bytes), store.file)
      if hasLog { try directory.write(isLog ? random.damaged(log) : log, store.file + "-wal") }
      do {
        for model in [store.model, nil] { try readAll(try CoreDataImport(stores: [path], model: model)) }
      } catch is ImportError {
      } catch {
        Issue.record("\(store.file), seed \(seed): \(error)")
      }
    }
  }

  private func readAll(_ source: CoreDataImport) throws {
    for objects in source.objects {
      _ = try objects.notes()
      _ = try objects.objectCounts()
      _ = try objects.historyCounts()
      for entity in objects.lookup.model.entities { try objects.forEachObject(of: entity.name) { _ in } }
      for field in objects.relationships { _ = try objects.forEachLink(of: field) { _ in } }
    }
  }
}

#endif
