import DaybookEngine
import DaybookModel
import DaybookRuntime

extension StoreProjection {
  /// Returns the events that a projection has not applied, by position.
  ///
  /// They are the quarantined and skipped events, and the event before which the projection has stopped.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the store has no such projection.
  public func quarantine() throws -> [QuarantinedEvent] {
    try store.keeper.readRows(of: name) { record, live, rows in
      let stop = (live.stop ?? record.next?.stop).map {
        QuarantinedEvent(address: $0.address, reason: $0.reason, state: .stopped)
      }
      return (try rows.quarantine() + [stop].compactMap { $0 }).sorted { $0.address < $1.address }
    }
  }

  /// Skips an event permanently, also in rebuilds; a stopped projection continues after it.
  ///
  /// The skip applies to the version of the code that failed: a later version applies the event again. No code of the
  /// projection is needed, so any process may skip an event.
  ///
  /// - Parameter address: An event that was quarantined, or at which the projection has stopped.
  /// - Throws: `StoreError` with the code `notFound` if the event is neither.
  public func skip(_ address: EventAddress) throws {
    let event = try requireQuarantined(address)
    let version = try store.keeper.readRows(of: name) { record, live, _ in
      record.next?.stop?.address == address && live.stop?.address != address
        ? record.next?.version ?? live.version : live.version
    }
    let skip = ProjectionLedger.Skip(version: version, address: address)
    try store.keeper.changeLedger(of: name) { ledger in
      if !ledger.skipped.contains(skip) { ledger.skipped.append(skip) }
    }
    // Rows that are being built record the skip themselves when they reach the event.
    try store.keeper.changeLiveRows(of: name) { live, rows in
      guard try live.stop?.address == address || rows.isSetAside(address) else { return }
      if live.stop?.address == address { live.stop = nil }
      let isNew = event.state == .stopped
      rows.setAside(QuarantinedEvent(address: address, reason: event.reason, state: .skipped))
      if isNew { live.quarantineCount += 1 }
    }
  }

  /// Retries the event at which a projection has stopped, or quarantined or skipped events.
  ///
  /// The retry happens when a process that knows the projection next works on it: at once if this process knows it. A
  /// quarantined event is applied late, after the events that followed it; if the order matters, correct the code and
  /// raise its version. The effects of such an event are off. The commit at which the projection has stopped was not
  /// applied, so its effects are on.
  ///
  /// - Parameter address: The event to retry; `nil` for all.
  /// - Throws: `StoreError` with the code `notFound` if the projection has applied the event or not reached it.
  public func retry(_ address: EventAddress? = nil) throws {
    if let address { _ = try requireQuarantined(address) }
    try store.keeper.changeLedger(of: name) { ledger in
      ledger.skipped.removeAll { address == nil || $0.address == address }
    }
    try store.keeper.changeLiveRows(of: name) { live, rows in
      if address == nil || live.stop?.address == address { live.stop = nil }
      for event in try rows.quarantine() where address == nil || event.address == address {
        rows.setAside(QuarantinedEvent(address: event.address, reason: event.reason, state: .retrying))
        live.hasRetries = true
      }
    }
    guard let projection = store.keeper.knownProjection(name) else { return }
    do {
      try store.keeper.run(projection, .current)
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func requireQuarantined(_ address: EventAddress) throws -> QuarantinedEvent {
    if let event = try quarantine().first(where: { $0.address == address }) { return event }
    throw StoreError(
      .notFound, "The projection \(name) has applied event \(address), or has not reached it.",
      advice: .listQuarantine)
  }
}
