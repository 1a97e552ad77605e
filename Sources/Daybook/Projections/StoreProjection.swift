import DaybookRuntime

/// A projection of a store, by its name.
///
///     let renames = try store.projection("renames")
///     try await renames.wait(for: store.position)
///     let count = try renames.read { try $0.integer(cake.bytes, in: "count") }
///
/// A process that does not know the code of a projection can read its rows, skip events and wait for it; only a process that
/// knows it applies events. See ``Projection``.
public struct StoreProjection: Sendable {
  let store: Store
  /// The projection's name.
  public let name: String
}
