import DaybookEngine
import DaybookModel
import Foundation
import LMDB

extension ProjectionKeeper {
  /// Sets the gauges of files, readers and the projections of users.
  package func reportMetrics() throws {
    for (name, environment) in [("journal", files.journalEnvironment), ("projections", projectionsEnvironment)] {
      let figures = try environment.information()
      files.metrics.set("daybook_map_used_bytes", Double(figures.usedSizeInBytes), ("environment", name))
      files.metrics.set("daybook_map_size_bytes", Double(figures.mapSizeInBytes), ("environment", name))
    }
    // Every reader has a transaction in the journal.
    let readers = try files.journalEnvironment.readers().filter { $0.transactionID != nil }
    let sightings = readers.compactMap(files.readerWatch.sighting)
    var oldest = Duration.zero
    if !sightings.isEmpty {
      // A clock that an application gives may count its calls, as a test's does.
      let now = files.options.clock()
      oldest = sightings.map { $0.age(at: now) }.max() ?? .zero
    }
    files.metrics.set("daybook_readers", Double(readers.count))
    files.metrics.set("daybook_oldest_reader_seconds", oldest / .seconds(1))
    let fileSizes = files.directory.fileSizes
    let sizes = [
      ("journal", fileSizes.journal), ("projections", fileSizes.projections),
      ("snapshots", snapshotStore.markers().reduce(0) { $0 + snapshotStore.sizeInBytes($1) }),
    ]
    for (name, size) in sizes { files.metrics.set("daybook_file_bytes", Double(size), ("file", name)) }
    for (name, lag) in try healing({ try projectionLags() }) {
      files.metrics.set("daybook_projection_lag_commits", Double(lag), ("projection", name))
    }
  }

  /// Returns how many commits each projection of users has not applied.
  private func projectionLags() throws -> [(name: String, lag: UInt64)] {
    try withSnapshots { snapshot, journal in
      let head = try journal.head()
      return try projectionNames(in: snapshot).map { ($0, try snapshot.record(of: $0).lag(behind: head)) }
    }
  }
}
