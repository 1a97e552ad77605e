extension FastExportReader {
  /// The lines before a commit's message.
  private struct Header {
    var mark: UInt64?
    var hash: GitHash?
    var author: GitSignature?
    var committer: GitSignature?
  }

  /// Reads a commit; the line `commit <ref>` must be the current one.
  mutating func readCommit(ref: ArraySlice<UInt8>) throws -> GitCommit {
    let lineNumber = input.lineNumber
    let (header, message) = try readHeader()
    guard let hash = header.hash else {
      throw error(
        .missingOriginalID,
        "the commit of line \(lineNumber) has no `original-oid`; write the stream with --show-original-ids")
    }
    guard let committer = header.committer else {
      throw error(.malformed, "commit \(hash) has no `committer`; check that the stream is whole and unchanged")
    }
    let parent = try readParent(of: hash, ref: ref)
    let mergeCount = try readMerges()
    let changes = try readChanges()
    previous = (header.mark, hash)
    try setTip(of: ref, to: .commit(hash))
    return GitCommit(
      ref: String(decoding: ref, as: UTF8.self), mark: header.mark, hash: hash,
      author: header.author ?? committer, committer: committer, message: message, parent: parent,
      mergeCount: mergeCount, changes: changes, lineNumber: lineNumber)
  }

  /// Reads the lines before the message, in any order, and the message.
  private mutating func readHeader() throws -> (Header, message: String) {
    var header = Header()
    while true {
      let line = try requiredLine(in: "commit")
      if let mark = line.argument(of: "mark") {
        header.mark = try readMark(mark)
      } else if let hash = line.argument(of: "original-oid") {
        header.hash = try readHash(hash)
      } else if let author = line.argument(of: "author") {
        header.author = GitSignature(parsing: author)
      } else if let committer = line.argument(of: "committer") {
        header.committer = GitSignature(parsing: committer)
      } else if let length = line.argument(of: "data") {
        return (header, try readMessage(length))
      } else if line.argument(of: "gpgsig") != nil {
        try skipData(of: "gpgsig")
      } else if line.argument(of: "encoding") == nil {
        throw error(
          .malformed, "`\(line.excerpt)` cannot stand before a commit's message; check that the stream is unchanged")
      }
    }
  }

  private mutating func readMerges() throws -> Int {
    var count = 0
    while let line = try nextLine() {
      guard line.argument(of: "merge") != nil else {
        heldLine = line
        break
      }
      count += 1
    }
    return count
  }
}

// MARK: - Parents

extension FastExportReader {
  /// Reads `from`, if present, and checks that the commit continues the previous one.
  private mutating func readParent(of hash: GitHash, ref: ArraySlice<UInt8>) throws -> GitHash? {
    var parent = tips[Array(ref)]
    if let line = try nextLine() {
      if let reference = line.argument(of: "from") {
        parent = resolve(reference)
      } else {
        heldLine = line
      }
    }
    guard let previous else { return try checkFirstParent(parent, of: hash) }
    guard parent == .commit(previous.hash) else {
      throw error(
        .notLinear,
        "commit \(hash) \(Self.describe(parent)), not \(previous.hash), the commit before it; "
          + "write the stream with --first-parent and one branch")
    }
    return previous.hash
  }

  /// Checks that a first commit is a root, or continues the base.
  private func checkFirstParent(_ parent: Tip?, of hash: GitHash) throws -> GitHash? {
    guard let parent else { return nil }
    if let base, parent == .commit(base) { return base }
    if let base {
      throw error(
        .historyDiverged,
        "the stream begins with commit \(hash), which \(Self.describe(parent)), not \(base), the last commit imported; "
          + "write the whole history, or what follows that commit")
    }
    throw error(
      .notLinear,
      "the stream begins with commit \(hash), which \(Self.describe(parent)), a commit that it does not hold; "
        + "write the whole history")
  }

  private static func describe(_ parent: Tip?) -> String {
    switch parent {
    case .commit(let hash): "continues \(hash)"
    case .unknown(let reference): "continues `\(reference)`"
    case nil: "has no parent"
    }
  }

  /// Returns the target of a `from`: a mark, a hash, or a ref, optionally followed by `^0`.
  func resolve(_ reference: ArraySlice<UInt8>) -> Tip {
    if let hash = GitHash(reference) { return .commit(hash) }
    if reference.first == UInt8(ascii: ":") {
      guard let previous, let mark = previous.mark, UInt64(decimal: reference.dropFirst()) == mark else {
        return .unknown(reference.excerpt)
      }
      return .commit(previous.hash)
    }
    let ref = reference.suffix(2).elementsEqual("^0".utf8) ? reference.dropLast(2) : reference
    return tips[Array(ref)] ?? .unknown(reference.excerpt)
  }

  /// Records the tip of a ref; `nil` if the next commit on it has no parent.
  mutating func setTip(of ref: ArraySlice<UInt8>, to tip: Tip?) throws {
    tips[Array(ref)] = tip
    guard tips.count <= limits.refs else {
      throw error(.limitExceeded, "the stream has more than \(limits.refs) refs; write it with one branch")
    }
  }
}
