extension FastExportReader {
  /// Reads a commit's file commands, up to the empty line or the next command.
  mutating func readChanges() throws -> [GitChange] {
    var changes: [GitChange] = []
    var byteCount = 0
    while let line = try nextLine() {
      guard !line.isEmpty else { break }
      guard let change = try readChange(line) else {
        if heldLine != nil { break }
        continue
      }
      changes.append(change)
      byteCount += line.count
      guard changes.count <= limits.changesPerCommit, byteCount <= limits.changeBytesPerCommit else {
        throw error(
          .limitExceeded,
          "a commit has more than \(limits.changesPerCommit) file commands, "
            + "or \(limits.changeBytesPerCommit) bytes of them"
        )
      }
    }
    return changes
  }

  /// Reads one file command.
  ///
  /// - Returns: `nil` for a note, which changes no file, and for a line that belongs to the next command, which becomes
  ///   the held line.
  private mutating func readChange(_ line: ArraySlice<UInt8>) throws -> GitChange? {
    guard line.dropFirst().first == UInt8(ascii: " ") else {
      if line.elementsEqual("deleteall".utf8) { return .deleteAll }
      heldLine = line
      return nil
    }
    var scanner = LineScanner(line.dropFirst(2))
    switch line.first {
    case UInt8(ascii: "M"): return try readModification(line, &scanner)
    case UInt8(ascii: "D"):
      guard let path = scanner.lastPath() else { throw badPath(line) }
      return .delete(path)
    case UInt8(ascii: "R"):
      guard let source = scanner.sourcePath(), let target = scanner.lastPath() else { throw badPath(line) }
      return .rename(from: source, to: target)
    case UInt8(ascii: "C"):
      guard let source = scanner.sourcePath(), let target = scanner.lastPath() else { throw badPath(line) }
      return .copy(from: source, to: target)
    case UInt8(ascii: "N"):
      try skipNote(&scanner)
      return nil
    default:
      heldLine = line
      return nil
    }
  }

  private mutating func readModification(_ line: ArraySlice<UInt8>, _ scanner: inout LineScanner) throws -> GitChange {
    guard let modeDigits = scanner.word(), let reference = scanner.word() else {
      throw error(.malformed, "`\(line.excerpt)` lacks a mode, a hash or a path; check that the stream is unchanged")
    }
    guard let mode = GitMode(modeDigits) else {
      let isFolder = modeDigits.elementsEqual("040000".utf8) || modeDigits.elementsEqual("40000".utf8)
      throw error(
        isFolder ? .unsupported : .malformed,
        isFolder
          ? "`\(line.excerpt)` sets a whole folder by its hash, whose files are not in the stream"
          : "`\(line.excerpt)` has mode \(modeDigits.excerpt), which is none of git's")
    }
    guard let path = scanner.lastPath(), !path.bytes.isEmpty else { throw badPath(line) }
    return .modify(path, mode, try blobHash(of: reference))
  }

  /// Returns the hash of a file's contents, which the stream names by hash or by mark.
  private func blobHash(of reference: ArraySlice<UInt8>) throws -> GitHash {
    if let hash = GitHash(reference) { return hash }
    guard !reference.elementsEqual("inline".utf8) else {
      throw error(.unsupported, "a file's contents are in the stream without their hash; write it with --no-data")
    }
    guard reference.first == UInt8(ascii: ":"), let mark = UInt64(decimal: reference.dropFirst()) else {
      throw error(.malformed, "`\(reference.excerpt)` is neither a hash nor a mark; check that the stream is unchanged")
    }
    guard let hash = blobHashes[mark] else {
      throw error(
        .missingOriginalID,
        "mark :\(mark) is not a file's contents with an `original-oid`; "
          + "write the stream with --no-data --show-original-ids")
    }
    return hash
  }

  /// Skips a note: `N <dataref> <commit>`, with data if it is inline.
  private mutating func skipNote(_ scanner: inout LineScanner) throws {
    if scanner.word()?.elementsEqual("inline".utf8) == true { try skipData(of: "N") }
  }

  private func badPath(_ line: ArraySlice<UInt8>) -> FastExportError {
    error(
      .malformed,
      "`\(line.excerpt)` does not name a path: it may have no empty parts and no zero bytes, and its quotes must close")
  }
}
