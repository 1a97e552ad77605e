import DaybookModel

/// The large values of a write in progress, over the values that the store has.
///
/// A verb replaces large data by a reference (``stored(_:as:)``), and the stage keeps the bytes, or the file that has
/// them, until the commit is appended. The commit takes the values that its events refer to; values that a verb
/// offered and no event holds are dropped with it.
///
/// Objects that are read within the write read their large values from the stage, so an object that was inserted a
/// moment ago has its values. The lock protects the dictionaries, because such an object may be passed to another
/// thread.
package final class LargeValueStage: LargeValueSource {
  private struct Contents {
    /// The values of the commit in progress.
    var new: [Digest: LargeValue] = [:]
    /// The bytes of the values in `new`.
    var newSizeInBytes = 0
    /// Whether the commit in progress refers to large values, new or not.
    var hasReferences = false
    /// The values of the commits before it that are not durable yet.
    var kept: [Digest: LargeValue] = [:]
    /// Values that verbs may refer to by their digests, because their bytes are at hand.
    var offered: [Digest: LargeValue] = [:]

    subscript(digest: Digest) -> LargeValue? { new[digest] ?? kept[digest] ?? offered[digest] }
  }

  private let base: (any LargeValueSource)?
  private let state = Locked(Contents())

  /// The most bytes of new large values in one commit: 512 MiB. They are in memory until the commit is written.
  package static let maximumSizeInBytes = 512 << 20

  /// - Parameter base: Has the values that are stored; `nil` if no value is stored.
  package init(over base: (any LargeValueSource)?) {
    self.base = base
  }

  /// Allows verbs to refer to values by their digests.
  package func offer(_ values: [LargeValue]) {
    state.withLock { state in
      for value in values { state.offered[value.sha256] = value }
    }
  }

  /// Returns a checked value in the form in which a record and an event hold it.
  ///
  /// - Throws: `StoreError`: `tooLarge` for a value over the limit, or new values over the limit of a commit;
  ///   `notFound` for a reference to bytes that neither the store nor the caller has; `badValue` for a reference to
  ///   bytes that a codable attribute cannot have.
  package func stored(_ value: Value, as type: AttributeType) throws -> Value {
    switch value {
    case .data(let bytes):
      guard bytes.count > LargeValue.thresholdInBytes else { return value }
      guard let large = LargeValue(bytes) else { throw StoreError(tooLarge: bytes.count) }
      try add(large)
      return .large(large)
    case .large(let large):
      let found = try find(large)
      guard type == .codable else {
        try add(found)
        return .large(found)
      }
      return try stored(codable: found)
    default: return value
    }
  }

  /// Returns a checked value of an object's attribute in the form in which a record and an event hold it.
  ///
  /// - Throws: The errors of ``stored(_:as:)``, with the name of the attribute.
  func stored(_ value: Value, ofAttribute number: Int, of entity: ResolvedEntity) throws -> Value {
    // What a projection makes of the journal is in its own rows alone.
    guard value.isLarge, !entity.isDerived else { return value }
    let attribute = entity.attributes[number]
    do {
      return try stored(value, as: attribute.type)
    } catch let error as StoreError {
      throw StoreError(error.code, "\(entity.name).\(attribute.name): \(error.message)", advice: error.remedy)
    }
  }

  /// Checks the bytes of a codable value, which may be any data.
  private func stored(codable value: LargeValue) throws -> Value {
    let bytes = try value.requireSource().bytes(of: value)
    let normalized: Value
    do {
      normalized = try Value.data(bytes).normalized(as: .codable)
    } catch {
      throw StoreError(.badValue, "the bytes of \(value.sha256) are not JSON")
    }
    guard normalized == .data(bytes) else { return try stored(normalized, as: .codable) }
    try add(value)
    return .large(value)
  }

  /// Returns a reference with a source of its bytes.
  private func find(_ value: LargeValue) throws -> LargeValue {
    if let known = state.withLock({ $0[value.sha256] }), known == value { return known }
    if let base, try base.contains(value) { return value.reading(from: base) }
    if let source = value.source, try source.contains(value) { return value }
    throw StoreError(
      .notFound, "There is no value of \(value.size) bytes with the SHA-256 \(value.sha256).",
      advice: "Give the bytes, or the reference of a value that the store has.")
  }

  /// Adds a value to the commit in progress, unless its bytes are stored already.
  private func add(_ value: LargeValue) throws {
    let isStored = try base?.contains(value) ?? false
    try state.withLock { state in
      state.hasReferences = true
      if isStored || state.new[value.sha256] != nil || state.kept[value.sha256] != nil { return }
      guard state.newSizeInBytes + value.size <= LargeValueStage.maximumSizeInBytes else {
        throw StoreError(
          .tooLarge, "The commit has more than \(LargeValueStage.maximumSizeInBytes) bytes of new large values.",
          advice: "Write it in several commits.")
      }
      state.new[value.sha256] = value
      state.newSizeInBytes += value.size
    }
  }

  /// Whether the commit in progress refers to large values.
  package var hasReferences: Bool { state.withLock { $0.hasReferences } }

  /// Ends the commit in progress, and returns its new values that its events refer to, by rising digest.
  ///
  /// They stay readable here until ``removeAll()``.
  ///
  /// - Throws: `MalformedBytes` if the events are not the commit's.
  package func finishCommit(_ events: EventReader) throws -> [LargeValue] {
    guard hasReferences else { return [] }
    var referenced: Set<Digest> = []
    try events.forEachLargeValue { referenced.insert($0.sha256) }
    return keep(state.withLock { state in state.new.values.filter { referenced.contains($0.sha256) } })
  }

  /// Ends the commit in progress with the new values that it has.
  @discardableResult
  package func keep(_ values: [LargeValue]) -> [LargeValue] {
    dropCommit()
    state.withLock { state in
      for value in values { state.kept[value.sha256] = value }
    }
    return values.sorted { $0.sha256.bytes.lexicographicallyPrecedes($1.sha256.bytes) }
  }

  /// Drops the values of the commit in progress.
  package func dropCommit() {
    state.withLock { state in
      (state.new, state.newSizeInBytes, state.hasReferences, state.offered) = ([:], 0, false, [:])
    }
  }

  /// All values whose bytes are not stored yet.
  package var values: [LargeValue] { state.withLock { Array($0.kept.values) + Array($0.new.values) } }

  /// Returns the value with a digest whose bytes are not stored yet, or `nil` for any other digest.
  ///
  /// It has its bytes, or the file that has them, so it stays readable after ``removeAll()``.
  package func pending(_ sha256: Digest) -> LargeValue? { state.withLock { $0[sha256] } }

  /// Forgets all values, which the store has now, or which were given up.
  package func removeAll() {
    dropCommit()
    state.withLock { $0.kept.removeAll() }
  }
}

/// Reading the values of the write, and of the store.
extension LargeValueStage {
  package func contains(_ value: LargeValue) throws -> Bool {
    if state.withLock({ $0[value.sha256] }) == value { return true }
    return try base?.contains(value) ?? false
  }

  package func chunk(_ number: Int, of value: LargeValue) throws -> [UInt8] {
    if let known = state.withLock({ $0[value.sha256] }), let source = known.source {
      return try source.chunk(number, of: known)
    }
    guard let base, try base.contains(value) else {
      throw StoreError(
        .notFound, "The value \(value.sha256) was never committed.", advice: "Read it before the edits are given up.")
    }
    return try base.chunk(number, of: value)
  }
}
