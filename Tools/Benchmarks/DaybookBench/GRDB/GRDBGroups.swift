import Foundation
import GRDB

/// GRDB groups all tasks by a column, or groups them again after each update.
final class GRDBGroups: Contestant {
  let name: String
  let role = Role.peer
  private let workload: Workload
  /// How many updates there are in a round, each before the groups are read; `nil` to read them once.
  private let updateCount: Int?
  private var pool: DatabasePool?

  init(_ workload: Workload, name: String, updateCount: Int? = nil) {
    (self.workload, self.name, self.updateCount) = (workload, name, updateCount)
  }

  private static let query = "SELECT grp, count(*), sum(amount), avg(amount) FROM task GROUP BY grp ORDER BY grp"

  func prepare(in directory: URL) throws {
    let pool = try DatabasePool(path: directory.appending(path: "tasks.sqlite").path(percentEncoded: false))
    try pool.write { database in
      try database.execute(
        sql: """
          CREATE TABLE task (
            id BLOB PRIMARY KEY NOT NULL, name TEXT NOT NULL, timestamp INTEGER NOT NULL, grp INTEGER NOT NULL,
            amount INTEGER NOT NULL);
          """)
      for record in workload.records {
        let (group, amount) = GroupedTasks.values(of: record)
        try database.cachedStatement(sql: "INSERT INTO task VALUES (?, ?, ?, ?, ?)")
          .execute(arguments: [record.id, record.name, record.timestamp, group, amount])
      }
    }
    self.pool = pool
  }

  private func groups(_ database: Database) throws -> UInt64 {
    let rows = try Row.fetchCursor(database.cachedStatement(sql: GRDBGroups.query))
    var digest: UInt64 = 0
    while let row = try rows.next() { digest = digest &+ UInt64(row[2] as Int64) &* 31 }
    return digest
  }

  func run(round: Int) throws -> Work {
    let pool = prepared(pool)
    guard let updateCount else { return Work(operations: 1, digest: try pool.read(groups)) }
    let clock = ContinuousClock()
    var work = Work(operations: updateCount, elapsed: .zero)
    for (number, update) in workload.updates(count: updateCount, round: round).enumerated() {
      try pool.write {
        try $0.execute(
          sql: "UPDATE task SET amount = ? WHERE id = ?", arguments: [1_000 + round * updateCount + number, update.id])
      }
      let start = clock.now
      _ = try pool.read(groups)
      work.add(clock.now - start)
    }
    return work
  }

  func cleanUp() throws {
    try pool?.close()
    pool = nil
  }
}
