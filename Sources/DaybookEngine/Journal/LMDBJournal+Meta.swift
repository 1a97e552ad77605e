import DaybookModel

extension LMDBJournal {
  /// Returns the value of a row, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the row is damaged.
  package func meta(_ key: [UInt8]) throws -> [UInt8]? {
    guard let bytes = try snapshot.value(for: key, in: tables.meta) else { return nil }
    if let value = tables.checkedRows.opened([UInt8](bytes), for: key) { return value }
    throw StoreError(
      .damaged, "The journal's row “\(String(decoding: key, as: UTF8.self))” is damaged.",
      advice: .verifyAndRestore)
  }

  package func modelPositions() throws -> [Position] {
    isReadByOneModel ? Array(try allModelPositions().prefix(1)) : try allModelPositions()
  }

  /// Returns the positions of all commits of a model, also if all is read by one model.
  package func allModelPositions() throws -> [Position] {
    guard let bytes = try meta(JournalMeta.models) else { return [] }
    var reader = ByteReader(bytes.rawSpan)
    var positions: [Position] = []
    while !reader.isAtEnd { positions.append(Position(try reader.fixed(UInt64.self))) }
    return positions
  }

  /// Returns the format of the store, or `nil` if it has none.
  package func format() throws -> StoreFormat? {
    try meta(JournalMeta.format).map { try StoreFormat($0) }
  }

  package func position(ofSubscription name: String) throws -> Position {
    let key = Array(name.utf8)
    guard let value = try snapshot.value(for: key, in: tables.subscriptions) else { return .empty }
    return try LMDBJournal.subscribedPosition([UInt8](value), for: key)
  }

  /// Returns the position in a subscription's row.
  ///
  /// A row written by an earlier version has no seal and is eight bytes shorter.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the row is not as it was written.
  package static func subscribedPosition(_ row: [UInt8], for key: [UInt8]) throws -> Position {
    let value = row.count == MemoryLayout<UInt64>.size ? row : JournalMeta.opened(row, for: key)
    guard let value, value.count == MemoryLayout<UInt64>.size else {
      throw StoreError(
        .damaged, "The journal's row of the subscription “\(String(decoding: key, as: UTF8.self))” is damaged.",
        advice: "Acknowledge a position that is known, or remove the subscription.")
    }
    var reader = ByteReader(value.rawSpan)
    return Position(try reader.fixed(UInt64.self))
  }

  package func subscriptions() throws -> [(name: String, position: Position)] {
    var subscriptions: [(name: String, position: Position)] = []
    var cursor = try snapshot.makeCursor(in: tables.subscriptions)
    var isValid = try cursor.moveToFirst()
    while isValid {
      let key = [UInt8](cursor.key)
      let position = try LMDBJournal.subscribedPosition([UInt8](cursor.value), for: key)
      subscriptions.append((String(decoding: key, as: UTF8.self), position))
      isValid = try cursor.moveToNext()
    }
    return subscriptions
  }

  /// Returns the ledger of a projection, or `nil` if the store has never had this name.
  package func ledger(of name: String) throws -> ProjectionLedger? {
    try meta(ProjectionLedger.key(of: name)).map { try ProjectionLedger($0) }
  }

  /// Returns the ledgers of all projections that the store has had.
  package func ledgers() throws -> [(name: String, ledger: ProjectionLedger)] {
    var ledgers: [(name: String, ledger: ProjectionLedger)] = []
    var cursor = try snapshot.makeCursor(in: tables.meta)
    var isValid = try cursor.moveToFirst()
    while isValid {
      if let name = ProjectionLedger.name(in: [UInt8](cursor.key)), let ledger = try ledger(of: name) {
        ledgers.append((name, ledger))
      }
      isValid = try cursor.moveToNext()
    }
    return ledgers
  }

  /// Returns the ledger of a projection; without one, all existing commits count as applied.
  package func presentLedger(of name: String) throws -> ProjectionLedger {
    try ledger(of: name) ?? ProjectionLedger(effectsThrough: head())
  }

  /// Makes the error for a commit that cannot be read.
  ///
  /// A writer of a later version of headers raises the store's format first: where the format has no such version, the
  /// bytes are damaged.
  package func error(_ fault: CommitFault, at position: Position) -> StoreError {
    guard case .newerFormat(let version) = fault, let format = try? format(), format.isReadable else {
      return StoreError(fault, at: position)
    }
    return StoreError(
      damaged: position, "is damaged: its header has version \(version), which the store’s format does not have")
  }
}
