#if Import

import Foundation

/// The file `-wal` beside an SQLite database, checked before SQLite reads it.
///
/// SQLite skips everything after the first frame that is not valid, and a log with a damaged header as a whole. A
/// reader that trusted this would return an empty store from a database whose rows are all in the log, and report
/// success. So a log that is cut or damaged is an error here, with one exception: frames after the last commit, which a
/// program writes before it commits, are skipped as by SQLite. A log without any commit is an error, too.
struct WriteAheadLog {
  let pageSize: Int
  /// The number of frames up to the last commit.
  let committedFrameCount: Int
  /// The number of whole frames after it.
  let uncommittedFrameCount: Int
  /// The number of the database's pages after the last commit.
  let pageCount: Int
  /// The numbers of the pages that the commits wrote.
  let pages: Set<Int>

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Checks a log.
  ///
  /// - Returns: `nil` for a log without content.
  /// - Throws: ``ImportError`` for a log that is damaged or cut.
  /// - Complexity: O(*n*) for a log of *n* bytes.
  static func read(_ path: String) throws(ImportError) -> WriteAheadLog? {
    let size = try FileBytes.size(of: path)
    guard size > 0 else { return nil }
    let header = try FileBytes.part(of: path, from: 0, count: headerSize)
    guard header.count == headerSize, let checksum = Checksum(header) else {
      throw damaged(path, "has no valid header")
    }
    let pageSize = Int(word(header, 8))
    guard pageSize >= 512, pageSize <= 65_536, pageSize & (pageSize - 1) == 0 else {
      throw damaged(path, "has pages of \(pageSize) bytes")
    }
    return try read(path, size, pageSize, Array(header[16..<24]), checksum)
  }

  private static func read(
    _ path: String, _ size: Int, _ pageSize: Int, _ salts: [UInt8], _ start: Checksum
  ) throws(ImportError) -> WriteAheadLog {
    var (checksum, offset, number, committed, pageCount) = (start, headerSize, 0, 0, 0)
    var pages: [Int] = []
    let frameSize = frameHeaderSize + pageSize
    while offset + frameHeaderSize <= size {
      // A frame with other salts is left over from before SQLite last restarted the log, and so are all after it.
      let frame = try FileBytes.part(of: path, from: offset, count: frameSize)
      guard frame.count >= frameHeaderSize, Array(frame[8..<16]) == salts else { break }
      guard frame.count == frameSize else { throw damaged(path, "is cut in its frame \(number + 1)") }
      checksum.add(frame[0..<8])
      checksum.add(frame[frameHeaderSize...])
      guard checksum.first == word(frame, 16), checksum.second == word(frame, 20) else { break }
      number += 1
      pages.append(Int(word(frame, 0)))
      if word(frame, 4) != 0 { (committed, pageCount) = (number, Int(word(frame, 4))) }
      offset += frameSize
    }
    guard committed > 0 else { throw damaged(path, "has no whole transaction") }
    // A program writes a page of its transaction again in place, and corrects the checksums when it commits. So a frame
    // with a wrong checksum is damage only where a commit is in it or after it.
    for later in stride(from: offset, to: size - frameHeaderSize, by: frameSize) {
      let frame = try FileBytes.part(of: path, from: later, count: frameHeaderSize)
      guard Array(frame[8..<16]) == salts else { continue }
      guard word(frame, 4) == 0 else {
        throw damaged(path, "is damaged in its frame \((offset - headerSize) / frameSize + 1)")
      }
      number += 1
    }
    return WriteAheadLog(
      pageSize: pageSize, committedFrameCount: committed, uncommittedFrameCount: number - committed,
      pageCount: pageCount, pages: Set(pages.prefix(committed)))
  }

  static func damaged(_ path: String, _ text: String) -> ImportError {
    ImportError(
      .data,
      "\(path) \(text). It holds rows that the database itself lacks, so nothing is read; take both files from a backup, "
        + "or open the database once with its application, which keeps the transactions before the damage.")
  }

  fileprivate static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// The running checksum of a log, over pairs of words in the byte order of its first bytes.
private struct Checksum {
  var first: UInt32 = 0
  var second: UInt32 = 0
  let isBigEndian: Bool

  /// Checks a header, or returns `nil` for one that is not valid.
  init?(_ header: [UInt8]) {
    switch WriteAheadLog.word(header, 0) {
    case 0x377f_0682: isBigEndian = false
    case 0x377f_0683: isBigEndian = true
    default: return nil
    }
    add(header[0..<24])
    guard first == WriteAheadLog.word(header, 24), second == WriteAheadLog.word(header, 28) else { return nil }
  }

  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { buffer in
      for offset in stride(from: 0, to: buffer.count & ~7, by: 8) {
        first = first &+ word(buffer, offset) &+ second
        second = second &+ word(buffer, offset + 4) &+ first
      }
    }
  }

  private func word(_ buffer: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}

#endif
