import Daybook
import DaybookEngine
import DaybookModel
import Foundation
import LMDB

extension Store {
  /// Returns the figures of the store.
  ///
  ///     let statistics = try store.statistics()
  ///     print(statistics.head, statistics.hash)
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`, `inputOutput`.
  /// - Complexity: O(*n*) for *n* objects, links, commits and pieces of large values; about a million a second.
  package func statistics() throws -> Statistics {
    // Called before its own transactions begin, as these would be counted.
    let information = try readerFigures()
    let oldest = try oldestReader()
    let largeValues = try largeValueTotals()
    return try read { reader in
      var hasher = try StateHasher(reader.reader)
      let state = try hasher.run()
      let model = reader.resolvedModel
      return Statistics(
        head: reader.position, hash: try reader.journal.header(at: reader.position).hash,
        stateHash: state.hash,
        objects: model.model.entities.compactMap { declared in
          model.entity(named: declared.name).map {
            Statistics.EntityCount(entity: declared.name, count: state.counts[$0])
          }
        },
        events: try reader.journal.eventCount(through: reader.position), largeValues: largeValues,
        journal: try size(of: files.journalEnvironment, file: files.directory.journalFile),
        projections: try size(
          of: keeper.projectionsEnvironment, file: files.directory.projectionsFile),
        snapshots: snapshots, readers: information.count, oldestReaderLag: information.lag,
        oldestReader: try oldest.map { try figures(of: $0, reader) },
        // The projections are at the head, because a read repairs projections that are behind before it runs its
        // closure.
        projectionFigures: TableName.allCases.map {
          Statistics.Projection(name: $0.name, checkpoint: reader.position, lag: 0)
        },
        userProjections: try projections(as: reader))
    }
  }

  /// Returns the state hash at the head; see ``StoreReader/stateHash()``.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`.
  package func stateHash() throws -> Digest {
    try read { try $0.stateHash() }
  }

  /// Returns the number and lag of readers.
  ///
  /// A reader of the store has a transaction in each environment; a log has one only in the journal.
  private func readerFigures() throws -> (count: Int, lag: Int) {
    try checkOpen()
    do {
      let figures = [try files.journalEnvironment.information(), try keeper.projectionsEnvironment.information()]
      let lags = figures.map { max(0, $0.lastTransactionID - ($0.oldestReaderTransactionID ?? $0.lastTransactionID)) }
      return (figures.map(\.liveReaderCount).max() ?? 0, lags.max() ?? 0)
    } catch {
      throw StoreError(error)
    }
  }

  /// Returns the oldest reader of the journal, in which every reader has a transaction.
  private func oldestReader() throws -> ReaderSighting? {
    do {
      let readers = try files.journalEnvironment.readers().filter { $0.transactionID != nil }
      // Of readers of one commit, the first that a check saw.
      return readers.compactMap(files.readerWatch.sighting).min {
        ($0.reader.transactionID ?? 0, $0.firstSeen) < ($1.reader.transactionID ?? 0, $1.firstSeen)
      }
    } catch {
      throw StoreError(error)
    }
  }

  private func largeValueTotals() throws -> Statistics.LargeValues {
    do {
      let totals = try LargeValueTable(files.journalEnvironment).totals()
      return Statistics.LargeValues(count: totals.count, sizeInBytes: totals.sizeInBytes)
    } catch {
      throw StoreError.translating(error)
    }
  }

  private func figures(
    of sighting: ReaderSighting, _ reader: borrowing StoreReader
  ) throws -> Statistics.OldestReader {
    Statistics.OldestReader(
      processID: sighting.reader.processID, ageInSeconds: sighting.age(at: files.options.clock()) / .seconds(1),
      position: try reader.position(recordedBy: sighting.firstSeen))
  }

  private func size(of environment: Environment, file: String) throws -> Statistics.FileSize {
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    return Statistics.FileSize(
      usedInBytes: try environment.information().usedSizeInBytes,
      fileInBytes: (attributes[.size] as? NSNumber)?.intValue ?? 0)
  }
}
