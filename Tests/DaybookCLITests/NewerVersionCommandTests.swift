#if Command

import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// The command on a store that a later version wrote.
@Suite(.hangLimit) struct NewerVersionCommandTests {
  private let kitchen: Kitchen

  init() throws { kitchen = try Kitchen(Kitchen.menu) }

  private func setFormat(_ format: StoreFormat) throws {
    let store = try Store(at: kitchen.store)
    defer { store.close() }
    try store.files.writeJournal { transaction in
      try transaction.putMeta(JournalMeta.format, format.bytes, in: store.files.journalTables)
    }
  }

  @Test func whatIsKnownCanBeRead() throws {
    let before = try kitchen.output("export")
    try setFormat(StoreFormat(version: JournalMeta.formatVersion + 1, readableBy: 1))
    #expect(try kitchen.output("export") == before)
    #expect(try kitchen.output("fetch", "Recipe").contains("Cake"))
    #expect(try kitchen.output("log").contains("Cake"))
    #expect(try kitchen.output("activity").contains("1 commit with 8 events"))
    #expect(try kitchen.output("verify").contains("format \(JournalMeta.formatVersion + 1)"))
    for arguments in [
      ["insert", kitchen.store, "Tag", "name=a"], ["delete", kitchen.store, Kitchen.id(5)],
      ["revert", kitchen.store, "2"],
    ] {
      let run = try CommandRun(arguments)
      #expect(run.status == 1)
      #expect(run.errors.contains("has format \(JournalMeta.formatVersion + 1)"))
      #expect(run.errors.contains("Update Daybook"))
    }
    #expect(try kitchen.output("export") == before)
  }

  @Test func whatCannotBePassedOverIsRefused() throws {
    try setFormat(StoreFormat(version: JournalMeta.formatVersion + 2, readableBy: JournalMeta.formatVersion + 1))
    for command in ["export", "log", "stats", "tree"] {
      let run = try kitchen.run(command)
      #expect(run.status == 1)
      #expect(run.errors.contains("format \(JournalMeta.formatVersion + 2)"))
    }
    #expect(try kitchen.run("verify").status == 1)
  }
}

#endif
