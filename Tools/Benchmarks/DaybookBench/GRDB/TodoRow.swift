import Foundation
import GRDB

/// A record in the form that GRDB's documentation recommends.
struct TodoRow: Codable, PersistableRecord {
  static let databaseTableName = "todo"

  let id: UUID
  let name: String
  let timestamp: Date
  let categoryID: UUID
  let isDone: Bool

  init(_ record: Record) {
    id = record.id
    name = record.name
    timestamp = Date(timeIntervalSince1970: Double(record.timestamp) / 1_000_000)
    categoryID = record.categoryID
    isDone = record.isDone
  }
}
