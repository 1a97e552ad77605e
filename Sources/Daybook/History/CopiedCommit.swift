import DaybookModel

/// A commit that was copied out of the journal, so that nothing is held open while somebody looks at it.
struct CopiedCommit: Sendable {
  let header: CommitHeader
  let hash: Digest
  let body: [UInt8]
  /// By the model of its position.
  let names: EventNames

  init(_ commit: CommitView, names: EventNames) {
    header = commit.header
    hash = commit.hash
    body = [UInt8](commit.body)
    self.names = names
  }

  /// The commit, or with an object of its events those that name it.
  func decoded(of object: ObjectID?) throws -> Commit {
    do {
      return try Commit(header, hash: hash, body: body.span.bytes, names: names, of: object)
    } catch {
      throw StoreError(error, at: header.position)
    }
  }

  /// Appends the commit as a line of JSON, with the line's end.
  func write(_ writer: CommitLineWriter, to output: inout [UInt8]) throws {
    do {
      try writer.write(header, hash: hash, body: body.span.bytes, names: names, to: &output)
      output.append(UInt8(ascii: "\n"))
    } catch {
      throw StoreError(error, at: header.position)
    }
  }
}

extension StoreError {
  /// What an event that cannot be told means to whoever reads the journal.
  fileprivate init(_ fault: EventFault, at position: Position) {
    self.init(
      .damaged, "Commit \(position) is damaged: \(fault).", advice: "Run `daybook verify`, and restore a backup.")
  }
}
