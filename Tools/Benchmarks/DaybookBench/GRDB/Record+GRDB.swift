import Foundation
import GRDB

extension Record: FetchableRecord {
  /// The columns that a query for records selects, in the order in which they are read.
  static let columns = "id, name, timestamp, categoryID, isDone"

  init(row: Row) throws {
    // By index: names are looked up in each row.
    self.init(id: row[0], name: row[1], timestamp: row[2], categoryID: row[3], isDone: row[4])
  }
}
