import DaybookRuntime

/// A projection of a store, by its name.
///
///     let months = try store.projection("cooked-months")
///     try await months.wait(for: store.position)
///     let rows = try store.fetch(CookedMonth.all).rows
///
/// A process that does not know the code of a projection can read its rows, skip commits and wait for it; only a process
/// that knows it applies commits. See ``Projection``.
public struct StoreProjection: Sendable {
  let store: Store
  /// The projection's name.
  public let name: String
}
