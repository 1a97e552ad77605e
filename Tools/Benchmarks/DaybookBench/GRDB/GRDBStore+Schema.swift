import GRDB

extension GRDBStore {
  /// Creates the tables if they are not there.
  func createTables() throws {
    try pool.write { database in
      guard try !database.tableExists("todo") else { return }
      try database.execute(sql: Self.tables + Self.triggers)
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
}
