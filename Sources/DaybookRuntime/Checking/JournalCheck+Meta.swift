import DaybookEngine
import DaybookModel
import LMDB

/// Checks of the journal's tables other than the commits.
extension JournalCheck {
  /// Checks the format, the identity, and the positions in the list of models.
  func checkMeta(_ models: [Position]) throws {
    try checkSeals()
    if let format = try? journal.meta(JournalMeta.format) {
      checkFormat(format)
    } else {
      faults.report(.journal, "table meta", "it has no format version")
    }
    if (try? journal.meta(JournalMeta.storeID))?.count != ObjectID.byteCount {
      faults.report(.journal, "table meta", "it has no identity of the store")
    }
    guard let positions = try? journal.modelPositions() else {
      return faults.report(.journal, "table meta", "the list of models cannot be read")
    }
    // If a model could not be read, it is missing here and its fault is already reported.
    if positions != models, findings.firstFault == nil {
      faults.report(
        .journal, "table meta",
        "the list of models has \(describe(positions)), but models are commits \(describe(models))")
    }
  }

  /// Checks that all rows are intact, including rows that this version does not know.
  private func checkSeals() throws {
    var cursor = try journal.snapshot.makeCursor(in: journal.tables.meta)
    while try cursor.moveToNext(), !faults.isFull {
      let key = [UInt8](cursor.key)
      guard JournalMeta.opened([UInt8](cursor.value), for: key) == nil else { continue }
      // The row that names the trusted projections is rewritten together with them.
      let part: Fault.Part = key == TrustMarker.key ? .projections : .journal
      faults.report(part, "table meta", "the row “\(String(decoding: key, as: UTF8.self))” is damaged")
    }
  }

  private func checkFormat(_ bytes: [UInt8]) {
    guard let format = try? StoreFormat(bytes), format.version >= StoreFormat.first.version else {
      return faults.report(.journal, "table meta", "it has no format version")
    }
    guard format.isReadable else {
      return faults.report(
        .journal, "table meta",
        "the store has format \(format.version); this version of Daybook reads \(JournalMeta.formatVersion)")
    }
    if format.isKnown { return }
    faults.summary.notes.append(
      "The store has format \(format.version), of which this version of Daybook knows \(JournalMeta.formatVersion): what it does not know is checked by its digests alone."
    )
  }

  private func describe(_ positions: [Position]) -> String {
    let shown = positions.prefix(20).map(\.description).joined(separator: ", ")
    return positions.count > 20 ? "\(shown), ... (\(positions.count))" : shown.isEmpty ? "none" : shown
  }

  /// Checks the rows of subscriptions.
  func checkSubscriptions() throws {
    var cursor = try journal.snapshot.makeCursor(in: journal.tables.subscriptions)
    while try cursor.moveToNext(), !faults.isFull {
      let key = [UInt8](cursor.key)
      let name = String(decoding: key, as: UTF8.self)
      guard let position = try? LMDBJournal.subscribedPosition([UInt8](cursor.value), for: key) else {
        faults.report(.journal, "table subscriptions", "the row “\(name)” is damaged")
        continue
      }
      if position > findings.head {
        faults.report(
          .journal, "table subscriptions", "“\(name)” is at \(position), but the journal ends at \(findings.head)")
      }
    }
  }

  /// Checks that the table of commit ids has no superfluous rows.
  ///
  /// The check of each commit with an id includes its row in the table.
  func checkCommitIDs(expectedCount: Int) throws {
    let count = try journal.snapshot.entryCount(in: journal.tables.commitIDs)
    guard count != expectedCount, findings.firstFault == nil else { return }
    var cursor = try journal.snapshot.makeCursor(in: journal.tables.commitIDs)
    while try cursor.moveToNext(), !faults.isFull {
      var key = ByteReader(cursor.key)
      var value = ByteReader(cursor.value)
      guard let id = try? key.objectID(), key.isAtEnd, let number = try? value.fixed(UInt64.self), value.isAtEnd else {
        faults.report(.journal, "table commit ids", "a row cannot be read")
        continue
      }
      let position = Position(number)
      let found =
        number == 0 || position > findings.head ? nil : try journal.header(at: position).header.commitID
      if found != id { faults.report(.journal, "table commit ids", "it says that commit \(position) has the id \(id)") }
    }
  }
}
