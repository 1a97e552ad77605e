import Foundation
import GRDB

extension GRDBStore {
  func insertCategories(of workload: Workload) throws {
    try pool.write { database in
      for (index, id) in workload.categories.enumerated() {
        try database.execute(
          sql: "INSERT INTO category (id, name) VALUES (?, ?)", arguments: [id, "Category \(index)"])
      }
    }
  }

  /// Inserts records in order, `commitSize` to a transaction.
  func ingest(_ records: [Record], commitSize: Int) throws {
    for first in stride(from: 0, to: records.count, by: commitSize) {
      try pool.write { database in
        try database.insert(records[first..<min(first + commitSize, records.count)])
      }
    }
  }

  /// The same with a record type that encodes itself.
  func ingest(_ rows: [TodoRow], commitSize: Int) throws {
    for first in stride(from: 0, to: rows.count, by: commitSize) {
      try pool.write { database in
        for row in rows[first..<min(first + commitSize, rows.count)] { try row.insert(database) }
      }
    }
  }

  func apply(_ update: Update) throws {
    try pool.write { try $0.apply(update) }
  }
}

extension Database {
  fileprivate func insert(_ records: ArraySlice<Record>) throws {
    let statement = try cachedStatement(
      sql: "INSERT INTO todo (id, name, timestamp, categoryID, isDone) VALUES (?, ?, ?, ?, ?)")
    for record in records {
      try statement.execute(arguments: [
        record.id, record.name, record.timestamp, record.categoryID, record.isDone,
      ])
    }
  }

  func apply(_ update: Update) throws {
    let statement = try cachedStatement(sql: "UPDATE todo SET name = ?, timestamp = ? WHERE id = ?")
    try statement.execute(arguments: [update.name, update.timestamp, update.id])
  }
}
