import GRDB

extension GRDBStore {
  /// Creates the tables if they are not there.
  ///
  /// - Parameter countedPeriod: See ``GRDBVariant/countedPeriod``.
  func createTables(countedPeriod: Int64?) throws {
    try pool.write { database in
      guard try !database.tableExists("todo") else { return }
      try database.execute(sql: Self.tables + Self.triggers + (countedPeriod.map(Self.counts) ?? ""))
    }
  }

  private static let tables = """
    CREATE TABLE category (
      id BLOB PRIMARY KEY NOT NULL,
      name TEXT NOT NULL
    );
    CREATE TABLE todo (
      id BLOB PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      timestamp INTEGER NOT NULL,
      categoryID BLOB NOT NULL REFERENCES category(id),
      isDone BOOLEAN NOT NULL
    );
    CREATE INDEX todoByCategory ON todo(categoryID);
    CREATE INDEX todoByTimestamp ON todo(timestamp, name);
    CREATE TABLE history (
      sequence INTEGER PRIMARY KEY,
      recordedAt INTEGER NOT NULL DEFAULT (unixepoch()),
      kind INTEGER NOT NULL,
      todoID BLOB NOT NULL,
      oldName TEXT, newName TEXT,
      oldTimestamp INTEGER, newTimestamp INTEGER,
      oldCategoryID BLOB, newCategoryID BLOB,
      oldIsDone BOOLEAN, newIsDone BOOLEAN
    );

    """

  private static let triggers = """
    CREATE TRIGGER todoInserted AFTER INSERT ON todo BEGIN
      INSERT INTO history (kind, todoID, newName, newTimestamp, newCategoryID, newIsDone)
      VALUES (1, new.id, new.name, new.timestamp, new.categoryID, new.isDone);
    END;
    CREATE TRIGGER todoUpdated AFTER UPDATE ON todo BEGIN
      INSERT INTO history (
        kind, todoID, oldName, newName, oldTimestamp, newTimestamp, oldCategoryID, newCategoryID, oldIsDone, newIsDone)
      VALUES (
        2, new.id, old.name, new.name, old.timestamp, new.timestamp, old.categoryID, new.categoryID, old.isDone,
        new.isDone);
    END;
    CREATE TRIGGER todoDeleted AFTER DELETE ON todo BEGIN
      INSERT INTO history (kind, todoID, oldName, oldTimestamp, oldCategoryID, oldIsDone)
      VALUES (3, old.id, old.name, old.timestamp, old.categoryID, old.isDone);
    END;
    """

  private static func counts(by period: Int64) -> String {
    """
    CREATE TABLE taskCount (
      categoryID BLOB NOT NULL, period INTEGER NOT NULL, tasks INTEGER NOT NULL, last INTEGER NOT NULL,
      PRIMARY KEY (categoryID, period)
    );
    CREATE TRIGGER todoCounted AFTER INSERT ON todo BEGIN
      INSERT INTO taskCount VALUES (new.categoryID, new.timestamp / \(period), 1, new.timestamp)
      ON CONFLICT DO UPDATE SET tasks = tasks + 1, last = excluded.last;
    END;
    """
  }
}
