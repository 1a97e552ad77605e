extension FastExportReader {
  /// Reads `blob`, keeps its hash if it has a mark, and skips its contents.
  mutating func readBlob() throws {
    var mark: UInt64?
    var hash: GitHash?
    while true {
      let line = try requiredLine(in: "blob")
      if let number = line.argument(of: "mark") {
        mark = try readMark(number)
      } else if let digits = line.argument(of: "original-oid") {
        hash = try readHash(digits)
      } else {
        heldLine = line
        break
      }
    }
    try skipData(of: "blob")
    guard let mark, let hash else { return }
    blobHashes[mark] = hash
    guard blobHashes.count <= limits.blobMarks else {
      throw error(.limitExceeded, "the stream has more than \(limits.blobMarks) file contents; write it with --no-data")
    }
  }

  /// Reads `reset <ref>` and the `from` after it, if present.
  mutating func readReset(_ ref: ArraySlice<UInt8>) throws {
    var tip: Tip?
    if let line = try nextLine() {
      if let reference = line.argument(of: "from") {
        // Git writes a hash of zeros for a deleted ref.
        tip = reference.allSatisfy { $0 == UInt8(ascii: "0") } ? nil : resolve(reference)
      } else {
        heldLine = line
      }
    }
    try setTip(of: ref, to: tip)
  }

  /// Skips an annotated tag.
  mutating func readTag() throws {
    while true {
      let line = try requiredLine(in: "tag")
      guard line.argument(of: "data") == nil else {
        heldLine = line
        return try skipData(of: "tag")
      }
      guard ["mark", "from", "original-oid", "tagger"].contains(where: { line.argument(of: $0) != nil }) else {
        throw error(.malformed, "`\(line.excerpt)` cannot stand in a tag; check that the stream is unchanged")
      }
    }
  }

  /// Skips lines that must follow, each beginning with a word.
  mutating func skipLines(of command: String, _ words: [String]) throws {
    for word in words {
      let line = try requiredLine(in: command)
      guard line.argument(of: word) != nil else {
        throw error(.malformed, "`\(line.excerpt)` should be `\(word)`; check that the stream is unchanged")
      }
    }
  }
}

// MARK: - Data

extension FastExportReader {
  /// Reads a commit's message; `argument` is the text after `data`.
  mutating func readMessage(_ argument: ArraySlice<UInt8>) throws -> String {
    var bytes: [UInt8] = []
    try takeData(argument, in: "commit", limit: limits.messageLength) { bytes.append(contentsOf: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Skips a `data` command, whose line comes next.
  mutating func skipData(of command: String) throws {
    let line = try requiredLine(in: command)
    guard let argument = line.argument(of: "data") else {
      throw error(
        .malformed, "`\(line.excerpt)` should be the `data` of a `\(command)`; check that the stream is unchanged")
    }
    try takeData(argument, in: command, limit: .max) { _ in }
  }

  /// Reads data of a stated length (`data 12`) or up to a line (`data <<END`).
  ///
  /// Also reads the newline that may follow the data.
  private mutating func takeData(
    _ argument: ArraySlice<UInt8>, in command: String, limit: Int, _ body: (ArraySlice<UInt8>) -> Void
  ) throws {
    if argument.starts(with: "<<".utf8), argument.count > 2 {
      try takeLines(upTo: Array(argument.dropFirst(2)), in: command, limit: limit, body)
    } else if let length = UInt64(decimal: argument).flatMap(Int.init(exactly:)) {
      try checkDataLength(length, limit: limit)
      try input.takeBytes(length, body)
    } else {
      throw error(.malformed, "`data \(argument.excerpt)` has no length; check that the stream is unchanged")
    }
    if try input.peekByte() == UInt8(ascii: "\n") { input.skipNewline() }
  }

  private mutating func takeLines(
    upTo delimiter: [UInt8], in command: String, limit: Int, _ body: (ArraySlice<UInt8>) -> Void
  ) throws {
    var length = 0
    // Not `nextLine`: a line of data that begins with # is no comment.
    while let line = try input.nextLine() {
      if line.elementsEqual(delimiter) { return }
      length += line.count + 1
      try checkDataLength(length, limit: limit)
      body(line)
      body([UInt8(ascii: "\n")])
    }
    throw error(.truncated, "the stream stops inside the data of a `\(command)` command; it was cut, write it again")
  }

  private func checkDataLength(_ length: Int, limit: Int) throws {
    guard length <= limit else {
      throw error(.limitExceeded, "a message has \(length) bytes, more than \(limit)")
    }
  }
}

// MARK: - Values

extension FastExportReader {
  func readMark(_ text: ArraySlice<UInt8>) throws -> UInt64 {
    guard text.first == UInt8(ascii: ":"), let mark = UInt64(decimal: text.dropFirst()) else {
      throw error(.malformed, "`mark \(text.excerpt)` is not a mark; check that the stream is unchanged")
    }
    return mark
  }

  func readHash(_ text: ArraySlice<UInt8>) throws -> GitHash {
    guard let hash = GitHash(text) else {
      throw error(.malformed, "`\(text.excerpt)` is not a hash of 40 or 64 digits; check that the stream is unchanged")
    }
    return hash
  }
}

extension UInt64 {
  /// Reads decimal digits, or returns `nil` for any other bytes.
  init?(decimal digits: ArraySlice<UInt8>) {
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
    self.init(String(decoding: digits, as: UTF8.self))
  }
}
