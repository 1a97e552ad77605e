#if Command

import ArgumentParser
import Daybook

/// A hash that a commit must have, as `POSITION:HASH`, in which form `daybook stats` prints head and hash.
struct ExpectedHash: Hashable, ExpressibleByArgument {
  let position: Position
  let hash: Digest

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = UInt64(parts[0]), number > 0, let hash = Digest(parts[1]) else { return nil }
    (position, self.hash) = (Position(number), hash)
  }
}

#endif
