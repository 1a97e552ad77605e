import Testing

/// The events: each kind of change in the calls of a delegate.
@Suite struct EventsTests {
  @Test func theSessionPrintsWhatItDoes() throws {
    let expected = #"""

      -- The first event: its section comes with it.
         begin updates
           insert section 0 [2026-03-02]
           insert row [0, 0]: 09:00 Stand-up
         end updates

      -- A newer one of the same day, and one of the day before.
         begin updates
           insert row [0, 0]: 12:30 Lunch
         end updates
         begin updates
           insert section 1 [2026-03-01]
           insert row [1, 0]: 18:45 Flight
         end updates

      -- An event gets another name: an update.
         begin updates
           update row [0, 0], now [0, 0]: 12:30 Lunch with Noor
         end updates

      -- It gets another time, which does not take it past its neighbour: an update, not a move.
         begin updates
           update row [0, 0], now [0, 0]: 13:00 Lunch with Noor
         end updates

      -- It is put before the stand-up: a move. One of the two moves, and the other one is not mentioned.
         begin updates
           move row [0, 0] to [0, 1]: 08:30 Lunch with Noor
         end updates

      -- It is put to the day before: a move into another section.
         begin updates
           move row [0, 1] to [1, 1]: 12:30 Lunch with Noor
         end updates

      -- The stand-up, the last of its day, is put off: a section goes, another one comes, and the row moves.
         begin updates
           delete section 0 [2026-03-02]
           insert section 0 [2026-03-03]
           move row [0, 0] to [0, 0]: 09:00 Stand-up
         end updates

      -- Many things in one commit:
         begin updates
           insert section 1 [2026-03-02]
           insert row [0, 0]: 17:00 Retrospective
           insert row [1, 0]: 10:00 Dentist
           move row [1, 0] to [2, 1]: 07:15 Flight
           update row [0, 0], now [0, 1]: 09:00 Late stand-up
         end updates

      -- The events of the first day are deleted, one after the other: the last one takes the section with it.
         begin updates
           delete row [2, 1]
         end updates
         begin updates
           delete section 2 [2026-03-01]
           delete row [2, 0]
         end updates

      -- In the end:
         [2026-03-03]
           17:00 Retrospective
           09:00 Late stand-up
         [2026-03-02]
           10:00 Dentist

      """#
    try expect("Events", prints: expected)
  }

  @Test func aNamedDirectoryKeepsASoundStore() throws {
    try expectStore("events.daybook", of: "Events")
  }
}
