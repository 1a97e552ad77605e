#if Command

import Daybook

extension StoreError.Remedy {
  /// The advice in terms of the command.
  var command: String {
    switch self {
    case .text(let text): text
    case .verify: "Run `daybook verify`."
    case .verifyAndRestore: "Run `daybook verify`, and restore a backup."
    case .verifySource: "Run `daybook verify` on the store that it was copied from."
    case .create: "Create one with `daybook init`."
    case .readHistory: "It may have been deleted; `daybook log` shows when."
    case .listQuarantine: "List the commits that are left out with `daybook projection`."
    case .listProjections: "`daybook stats` lists the projections of the store."
    case .resolveFork:
      "The store can be read. `daybook replication STORE --resolve keep-stream --save FILE` saves the commits of this node, and lets it follow again."
    case .createInStream: "Create it with `daybook init --journal`."
    case .recreateStream:
      "If it was deleted, make an empty one with its name and settings; the next write of this node fills it."
    case .joinStream: "Join it with `daybook join`, or name another stream."
    }
  }
}

#endif
