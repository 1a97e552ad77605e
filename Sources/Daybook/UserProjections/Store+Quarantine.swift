import DaybookModel
import LMDB

extension Store {
  /// The events that a projection has not taken in, by position: those that were set aside or left out, and the one that
  /// it has stopped before.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the store has no such projection.
  public func quarantine(of name: String) throws -> [QuarantinedEvent] {
    try readRows(of: name) { record, live, rows in
      let stop = (live.stop ?? record.next?.stop).map {
        QuarantinedEvent(address: $0.address, reason: $0.reason, state: .stopped)
      }
      return (try rows.quarantine() + [stop].compactMap { $0 }).sorted { $0.address < $1.address }
    }
  }

  /// Leaves an event out of a projection for good, also when that is built anew; a stopped projection goes on behind it.
  ///
  /// It is decided on behalf of the version of the code that failed: a later version meets the event again. No code of
  /// the projection is needed, so any process may decide it.
  ///
  /// - Parameters:
  ///   - address: An event that was set aside, or that the projection has stopped at.
  ///   - name: The projection.
  /// - Throws: `StoreError` with the code `notFound` if it is none of these.
  public func skip(_ address: EventAddress, in name: String) throws {
    let event = try requireQuarantined(address, in: name)
    let version = try readRows(of: name) { record, live, _ in
      record.next?.stop?.address == address && live.stop?.address != address
        ? record.next?.version ?? live.version : live.version
    }
    let skip = ProjectionLedger.Skip(version: version, address: address)
    try changeLedger(of: name) { ledger in
      if !ledger.skipped.contains(skip) { ledger.skipped.append(skip) }
    }
    // Rows that are being built note by themselves that they left it out, when they come there.
    try changeRows(of: name) { live, rows in
      guard try live.stop?.address == address || rows.isSetAside(address) else { return }
      if live.stop?.address == address { live.stop = nil }
      let isNew = event.state == .stopped
      try rows.setAside(QuarantinedEvent(address: address, reason: event.reason, state: .skipped))
      if isNew { live.quarantineCount += 1 }
    }
  }

  /// Lets a projection try events again: the one that it has stopped at, or those that were set aside or left out.
  ///
  /// It does so when a process that knows it takes it up: at once if this one does. An event that was set aside is taken
  /// in late, after those that followed it; where the order matters, mend the code and give it a higher version. Its
  /// effects are off. The commit that the projection has stopped at was not taken in, so its effects are on.
  ///
  /// - Parameters:
  ///   - address: Nil for all.
  ///   - name: The projection.
  /// - Throws: `StoreError` with the code `notFound` for an event that is neither.
  public func retry(_ address: EventAddress? = nil, in name: String) throws {
    if let address { _ = try requireQuarantined(address, in: name) }
    try changeLedger(of: name) { ledger in
      ledger.skipped.removeAll { address == nil || $0.address == address }
    }
    try changeRows(of: name) { live, rows in
      if address == nil || live.stop?.address == address { live.stop = nil }
      for event in try rows.quarantine() where address == nil || event.address == address {
        try rows.setAside(QuarantinedEvent(address: event.address, reason: event.reason, state: .retrying))
        live.hasRetries = true
      }
    }
    guard let projection = knownProjection(name) else { return }
    do {
      try run(projection, .current)
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func requireQuarantined(_ address: EventAddress, in name: String) throws -> QuarantinedEvent {
    if let event = try quarantine(of: name).first(where: { $0.address == address }) { return event }
    throw StoreError(
      .notFound, "The projection \(name) has taken in event \(address), or has not come there.",
      advice: "List its quarantine with `daybook projection`.")
  }

  private func changeRows(
    of name: String, _ change: (inout ProjectionRecord.Instance, ProjectedRows) throws -> Void
  ) throws {
    try changeRecord(of: name) { record, transaction in
      guard var live = record.live,
        let table = try transaction.openTable(ProjectionRecord.tableName(of: name, live), create: false)
      else { throw StoreError(missingProjection: name) }
      let rows = ProjectedRows(snapshot: transaction.snapshot, table: table)
      try change(&live, rows)
      rows.finishCommit()
      try rows.flush(in: &transaction)
      record.live = live
      // What stopped rows that are being built is looked at again, and skipped if the ledger says so.
      record.next?.stop = nil
    }
  }
}
