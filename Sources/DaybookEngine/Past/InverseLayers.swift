import DaybookModel

/// The inverse layers of the last commits, made once and shared by all that read the states before them.
///
/// A hundred live requests that follow the same commit need the state before it to find what changed. The commit is
/// folded back once, by the first of them; the others wait and read the same layers. Shared layers never change.
///
/// Layers are found by the hash of the last commit, so they never belong to another journal or to a commit that was not
/// made. ``removeAll()`` forgets them when the tables that they were made from are not trusted any more.
package final class InverseLayers: Sendable {
  private struct Key: Hashable {
    let start: Position
    let head: Digest
    let parts: UInt8
    let isReadByOneModel: Bool
    let limitInBytes: Int
  }

  /// What is known of a span.
  private enum Span {
    /// The layers are being made, under the lock, or will be.
    case new
    case made(State.Layers)
    /// The layers are too large to be kept: each reader makes its own, beside the others.
    case large
  }

  private typealias Entry = Locked<Span>

  private let entries = Locked<(keys: [Key], values: [Key: Entry])>(([], [:]))

  /// How many spans are kept, the last ones, and how large the layers of one may be.
  private static let maximumCount = 16
  private static let maximumSizeInBytes = 1 << 20
  /// The most commits of a span that is shared: a longer one is likely to be large, and to be read only once.
  private static let maximumSpan: UInt64 = 256

  package init() {}

  /// The layers as a state reads them that ends with one commit.
  package struct Anchor: Sendable {
    let layers: InverseLayers
    /// The hash of the commit.
    let head: Digest
  }

  /// Returns the layers for states that end with the commit of a hash.
  package func anchored(at head: Digest) -> Anchor { Anchor(layers: self, head: head) }

  /// Returns the layers from a state back to an earlier position.
  ///
  /// - Parameters:
  ///   - head: The hash of the commit at the state's position.
  ///   - limit: The limit that `make` observes.
  ///   - make: Makes the layers.
  func layers(
    from state: State, backTo start: Position, head: Digest, parts: Fold.Parts, isReadByOneModel: Bool,
    limitInBytes limit: Int,
    make: () throws -> State.Layers
  ) throws -> State.Layers {
    guard state.position.number - start.number <= InverseLayers.maximumSpan else { return try make() }
    let entry = entry(
      for: Key(
        start: start, head: head, parts: parts.rawValue, isReadByOneModel: isReadByOneModel, limitInBytes: limit))
    let layers = try entry.withLock { span -> State.Layers? in
      switch span {
      case .made(let layers): return layers
      case .large: return nil
      case .new: break
      }
      do {
        let made = try make()
        let isSmall = made.sizeInBytes <= InverseLayers.maximumSizeInBytes
        span = isSmall ? .made(made.shared) : .large
        return isSmall ? made.shared : made
      } catch let error as SpanTooLarge {
        span = .large
        throw error
      }
    }
    return try layers ?? make()
  }

  /// Forgets all layers.
  package func removeAll() { entries.withLock { $0 = ([], [:]) } }

  private func entry(for key: Key) -> Entry {
    entries.withLock { entries in
      if let entry = entries.values[key] { return entry }
      let entry = Entry(.new)
      entries.values[key] = entry
      entries.keys.append(key)
      if entries.keys.count > InverseLayers.maximumCount { entries.values[entries.keys.removeFirst()] = nil }
      return entry
    }
  }
}
