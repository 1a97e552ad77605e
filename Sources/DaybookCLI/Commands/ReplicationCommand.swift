#if Command

import ArgumentParser
import Daybook
import DaybookTools
import Foundation

struct ReplicationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replication", abstract: "Show how far a node and the stream of its journal have come.",
    discussion: """
      The other nodes are asked for a quarter of a second; one that does not follow is not shown. Without a connection the \
      rest is shown, with status 0.

      A fork is a position at which the journal of the node has another commit than the stream, which servers can cause \
      that lose acknowledged messages. A forked node refuses to write. --resolve keep-stream writes its own commits from \
      there on into the file of --save, as `daybook export` does, and removes them; then the node follows again. No other \
      program may have the store open.
      """)

  @OptionGroup var arguments: StoreArguments
  @OptionGroup var output: JSONOption

  @Option(help: ArgumentHelp("What a forked node keeps: keep-stream.", valueName: "way"))
  var resolve: Resolution?

  @Option(help: ArgumentHelp("The file for the commits that are removed.", valueName: "file"), completion: .file())
  var save: String?

  /// The ways to resolve a fork.
  enum Resolution: String, ExpressibleByArgument, CaseIterable {
    case keepStream = "keep-stream"
  }

  func validate() throws {
    if (resolve == nil) != (save == nil) { throw ValidationError("--resolve and --save go together.") }
  }

  func run() throws {
    if let save { return try keepStream(saving: save) }
    try show()
  }

  /// Saves the commits that only this node has, and removes them.
  private func keepStream(saving file: String) throws {
    guard try !StoreDirectory(file).exists else {
      throw StoreError(.exists, "There is something at \(file) already.", advice: "Choose another file.")
    }
    let count = try arguments.withStore { store in
      guard let fork = try store.replication?.status().fork else {
        throw StoreError(
          .badRequest, "The store \(store.path) is not known to be forked.",
          advice: "A write, or `daybook follow`, compares it with the stream.")
      }
      let output = try NewFile(file)
      do {
        let last = try Exporter(store).export(from: fork.position) { try output.write($0) }
        try output.finish()
        return last.number + 1 - fork.position.number
      } catch {
        output.discard()
        throw error
      }
    }
    let position = try keepStream(butFor: file)
    let json: JSONValue = ["position": position.json, "saved": .integer(Int64(clamping: count))]
    try output.json
      ? Console.standard.print(json)
      : Console.standard.print("\(count) commits are in \(file); the node follows again from \(position)")
  }

  /// Removes the commits. If a program has the store open, they stay, and so the file that was made is removed.
  private func keepStream(butFor file: String) throws -> Position {
    do {
      return try Replication.resolve(at: arguments.store, options: StoreArguments.options)
    } catch let error as StoreError where error.code == .busy {
      try FileManager.default.removeItem(atPath: file)
      throw error
    }
  }

  private func show() throws {
    let status = try arguments.withStore { store in
      guard let status = try store.replication?.status() else { throw StoreError(notReplicated: store) }
      return status
    }
    if output.json { return try Console.standard.print(status.json) }
    var table = TextTable(["", ""])
    for (title, text) in ReplicationCommand.rows(status) { table.add([title, text]) }
    try table.print(to: .standard)
  }

  private static func rows(_ status: ReplicationStatus) -> [(title: String, text: String)] {
    var rows = [("stream", status.address.description), ("node", status.node.id.description)]
    if let stream = status.stream {
      rows.append(("server", stream.server ?? "unknown"))
      if let leader = stream.leader { rows.append(("leader", leader)) }
      rows.append(("replicas", "\(stream.serverCount)"))
      rows.append(("lag", stream.lag == 0 ? "none" : stream.lag == 1 ? "1 message" : "\(stream.lag) messages"))
      if stream.differs {
        rows.append(("stream", "not as this node has read it: the next write or `daybook follow` compares all commits"))
      }
    } else {
      rows.append(("server", "cannot be reached"))
    }
    rows.append(("head", "\(status.node.head)"))
    rows.append(("hash", "\(status.node.hash)"))
    rows.append(("skipped messages", "\(status.skippedMessageCount)"))
    if let fork = status.fork {
      rows.append(("fork", "from commit \(fork.position) on: \(fork.ownHash) here, \(fork.streamHash) in the stream"))
    }
    for node in status.others { rows.append(("node \(node.id)", "at \(node.head)")) }
    return rows
  }
}

private extension ReplicationStatus {
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("stream", .string(address.stream)), ("servers", .array(address.servers.map { JSONValue.string($0) })),
      ("node", .string(node.id.description)),
    ]
    members += ReplicationStatus.members(of: stream)
    members += [("head", node.head.json), ("hash", .string(node.hash.description))]
    members += [
      ("foldedSequence", .integer(Int64(clamping: foldedSequence))), ("foldedPosition", foldedPosition.json),
      ("skipped", .integer(Int64(skippedMessageCount))),
    ]
    members += [("fork", fork?.json ?? JSONValue.null), ("nodes", .array(others.map(\.json)))]
    return .object(members)
  }

  /// The state that the servers report; null for each member if they do not answer.
  private static func members(of stream: Stream?) -> [(key: String, value: JSONValue)] {
    func text(_ text: String?) -> JSONValue { text.map { JSONValue.string($0) } ?? JSONValue.null }
    func number(_ number: Int64?) -> JSONValue { number.map { JSONValue.integer($0) } ?? JSONValue.null }
    return [
      ("connected", .boolean(stream != nil)), ("server", text(stream?.server)), ("leader", text(stream?.leader)),
      ("replicas", number(stream.map { Int64($0.serverCount) })),
      ("streamHead", number(stream.map { Int64(clamping: $0.lastSequence) })),
      ("lag", number(stream.map { Int64($0.lag) })),
      ("differs", stream.map { JSONValue.boolean($0.differs) } ?? JSONValue.null),
    ]
  }
}

private extension ReplicationStatus.Fork {
  var json: JSONValue {
    [
      "position": position.json, "own": .string(ownHash.description), "stream": .string(streamHash.description),
    ]
  }
}

private extension ReplicationStatus.Node {
  var json: JSONValue {
    ["node": .string(id.description), "head": head.json, "hash": .string(hash.description)]
  }
}

#endif
