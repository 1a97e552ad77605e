import DaybookModel

/// The inverse layers of the last commits, made once and shared by all that read the states before them.
///
/// A hundred live requests that follow the same commit need the state before it to find what changed. The commit is
/// folded back once, by the first of them; the others wait and read the same layers. Shared layers never change.
///
/// Layers are found by the hash of the last commit, so they are never those of another journal or of a commit that
/// was not made.
package final class InverseLayers: Sendable {
  private struct Key: Hashable {
    let start: Position
    let head: Digest
    let parts: UInt8
  }

  /// The layers between two positions; made by the first thread that takes the lock.
  private typealias Entry = Locked<State.Layers?>

  private let entries = Locked<(keys: [Key], values: [Key: Entry])>(([], [:]))

  /// How many spans are kept, the last ones, and how large the layers of one may be.
  private static let maximumCount = 16
  private static let maximumSizeInBytes = 1 << 20
  /// The most commits of a span that is shared: a longer one is likely to be large, and to be read only once.
  private static let maximumSpan: UInt64 = 256

  package init() {}

  /// Returns the layers from a state back to an earlier position.
  ///
  /// - Parameters:
  ///   - head: The hash of the commit at the state's position.
  ///   - make: Makes the layers.
  func layers(
    from state: State, backTo start: Position, head: Digest, parts: Fold.Parts, make: () throws -> State.Layers
  ) throws -> State.Layers {
    guard state.position.number - start.number <= InverseLayers.maximumSpan else { return try make() }
    let entry = entry(for: Key(start: start, head: head, parts: parts.rawValue))
    return try entry.withLock { kept in
      if let kept { return kept }
      let made = try make()
      guard made.sizeInBytes <= InverseLayers.maximumSizeInBytes else { return made }
      kept = made.shared
      return made.shared
    }
  }

  private func entry(for key: Key) -> Entry {
    entries.withLock { entries in
      if let entry = entries.values[key] { return entry }
      let entry = Entry(nil)
      entries.values[key] = entry
      entries.keys.append(key)
      if entries.keys.count > InverseLayers.maximumCount { entries.values[entries.keys.removeFirst()] = nil }
      return entry
    }
  }
}
