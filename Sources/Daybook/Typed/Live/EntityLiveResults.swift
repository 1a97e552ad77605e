/// The live result of a request, with structs as rows: ``LiveResults`` with types.
///
///     for try await change in recipes.changes { ... }
public typealias EntityLiveResults<Object: Storable> = EntityRows<Object, LiveResults>

/// The result of a request in an editing context, with structs as rows.
///
/// See ``EditingResults``.
public typealias EntityEditingResults<Object: Storable> = EntityRows<Object, EditingResults>
