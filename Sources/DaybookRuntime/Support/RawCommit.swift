import DaybookEngine
import DaybookModel

/// A commit as stored in the journal. `docs/file-format.md` describes the bytes.
package struct RawCommit: Sendable, Hashable {
  /// The commit's position.
  package let position: Position
  /// The commit's hash: the SHA-256 of its header.
  package let hash: Digest
  /// The encoded header, with the author, the times and the digest of the body.
  package let header: [UInt8]
  /// The encoded events, or the model's JSON for a commit of a model.
  package let body: [UInt8]

  package init(_ commit: CopiedCommit) {
    position = commit.header.position
    hash = commit.hash
    var header: [UInt8] = []
    commit.header.append(to: &header)
    self.header = header
    body = commit.body
  }
}

/// A commit that was copied out of the journal, so that no transaction is held for it.
package struct CopiedCommit: Sendable {
  package let header: CommitHeader
  let hash: Digest
  let body: [UInt8]
  /// The names in the model of the commit's position.
  package let names: EventNames

  package init(_ commit: CommitView, names: EventNames) {
    header = commit.header
    hash = commit.hash
    body = [UInt8](commit.body)
    self.names = names
  }

  /// Returns the decoded commit with the selected events.
  package func decoded(_ selection: EventSelection = .all) throws -> Commit {
    do {
      return try Commit(header, hash: hash, body: body.rawSpan, names: names, events: selection)
    } catch {
      throw StoreError(error, at: header.position)
    }
  }

  /// Returns the large values that the events refer to, each once.
  package func largeValues() throws -> [LargeValue] {
    if header.isModel { return [] }
    var values: [Digest: LargeValue] = [:]
    do {
      try EventReader(body.rawSpan, position: header.position, time: header.time).forEachLargeValue { value in
        values[value.sha256] = value.reading(from: names.largeValues)
      }
    } catch {
      throw StoreError(damaged: header.position, "is damaged: \(error)")
    }
    return values.values.sorted { $0.sha256.bytes.lexicographicallyPrecedes($1.sha256.bytes) }
  }

  /// Appends the commit as a line of JSON, with the line's end.
  package func write(_ writer: CommitLineWriter, to output: inout [UInt8]) throws {
    do {
      try writer.write(header, hash: hash, body: body.rawSpan, names: names, to: &output)
      output.append(UInt8(ascii: "\n"))
    } catch {
      throw StoreError(error, at: header.position)
    }
  }

  /// Appends the events as CloudEvents, a line each.
  package func write(_ writer: CloudEventWriter, to output: inout [UInt8]) throws {
    do {
      try writer.write(header, body: body.rawSpan, names: names, to: &output)
    } catch {
      throw StoreError(error, at: header.position)
    }
  }
}

private extension StoreError {
  /// Converts a fault in a commit's events to an error of the store.
  init(_ fault: EventFault, at position: Position) {
    self.init(
      .damaged, "Commit \(position) is damaged: \(fault).", advice: .verifyAndRestore)
  }
}
