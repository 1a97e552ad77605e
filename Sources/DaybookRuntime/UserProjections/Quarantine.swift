import DaybookEngine
import DaybookModel
import LMDB

/// The commits that the rows of a projection leave out: a table, and the changes on top of it.
package struct Quarantine {
  private let snapshot: TransactionSnapshot
  private let table: Table
  private var changes: [Position: QuarantinedCommit] = [:]

  init(snapshot: TransactionSnapshot, table: Table) {
    (self.snapshot, self.table) = (snapshot, table)
  }

  package func contains(_ position: Position) throws -> Bool {
    if changes[position] != nil { return true }
    return try snapshot.value(for: QuarantinedCommit.key(of: position), in: table) != nil
  }

  /// Adds a commit, or replaces what is known of it.
  package mutating func insert(_ commit: QuarantinedCommit) {
    changes[commit.position] = commit
  }

  /// Returns the commits, by position.
  package func commits() throws -> [QuarantinedCommit] {
    var commits = changes
    var cursor = try snapshot.makeCursor(in: table)
    var isValid = try cursor.moveToFirst()
    while isValid {
      let commit = try QuarantinedCommit(cursor.key, cursor.value)
      if commits[commit.position] == nil { commits[commit.position] = commit }
      isValid = try cursor.moveToNext()
    }
    return commits.values.sorted { $0.position < $1.position }
  }

  /// Writes the changes into the table.
  mutating func flush(in transaction: inout WriteTransaction) throws(LMDBError) {
    for commit in changes.values {
      try transaction.put(QuarantinedCommit.key(of: commit.position), commit.value, in: table)
    }
    changes.removeAll()
  }
}
