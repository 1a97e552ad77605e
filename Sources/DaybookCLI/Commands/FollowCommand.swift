#if Command

import ArgumentParser
import Daybook
import Logging

#if Server
import DaybookServer
#endif

struct FollowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Take the commits of the other nodes of a replicated journal, until it is ended.",
    discussion: """
      One process of a node follows; further ones wait, and take over when it ends. It prints “following” when it has all \
      commits of the stream, logs to standard error, and ends on SIGTERM or Ctrl-C. If the node and the stream differ it \
      ends with status 1, and `daybook replication` tells where.
      """)

  @OptionGroup var arguments: StoreArguments

  @Flag(help: "Take the commits that the stream has now, print the head, and end.")
  var once = false

  func run() async throws {
    if once { return try takeOnce() }
    var options = StoreArguments.options
    options.replication.follows = true
    #if Server
    let log = QueuedLog()
    defer { log.finish() }
    options.logger = Logger(label: "daybook.follow") { log.handler(label: $0) }
    #else
    options.logger = Logger(label: "daybook.follow") { StreamLogHandler.standardError(label: $0) }
    #endif
    let store = try Store(at: arguments.store, options: options)
    defer { store.close() }
    guard let replication = store.replication else { throw StoreError(notReplicated: store) }
    try await Interruption.ending { try await FollowCommand.follow(replication) }
  }

  private func takeOnce() throws {
    let head = try arguments.withStore { store in
      guard let replication = store.replication else { throw StoreError(notReplicated: store) }
      try replication.wait()
      return try store.position
    }
    try Console.standard.print("\(head)")
  }

  private static func follow(_ replication: Replication) async throws {
    var isAnnounced = false
    while true {
      if let failure = replication.failure { throw failure }
      if !isAnnounced, replication.isFollowing {
        isAnnounced = true
        try Console.standard.print("following")
        try Console.standard.flush()
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

#endif
