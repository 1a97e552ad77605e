import Testing

/// The tasks: provisional edits, pick lists that hold their order, and a nameless section.
@Suite struct TodoTests {
  @Test func theSessionPrintsWhatItDoes() throws {
    let expected = #"""
         Tasks
          [No Category]
            ---------- Buy stamps #errand
          [Garden]
            ---------- Prune the roses
          [Home]
            ---------- Call the plumber #phone
            2026-03-01 Pay the rent #urgent
          [Office]
            2026-03-05 Send the report #phone #urgent

      -- Maria opens “Call the plumber”, and ticks two tags.
         Pick tags
            [x] phone (2)
            [ ] urgent (2)
            [ ] errand (1)
         Pick tags: ~ [0, 2] [x] errand (2)
         Pick tags: ~ [0, 1] [x] urgent (3)

      -- She leaves the pick list: now its rows go to where they belong.
         Pick tags: > [0, 0] to [0, 2] [x] phone (2)
         Tasks: nothing to do

      -- She leaves the task with Cancel.
         Tasks: nothing to do
         The store is at position 2, as before.

      -- She opens it again, sets a due date, picks Office, ticks urgent, and leaves with Save.
         Pick a category
            Home (2)
            Garden (1)
            Office (1)
         Pick a category: > [0, 0] to [0, 2] Home (1)
         Pick a category: > [0, 2] to [0, 0] Office (2)
         Pick tags
            [x] phone (2)
            [ ] urgent (2)
            [ ] errand (1)
         Pick tags: ~ [0, 1] [x] urgent (3)
         Tasks: > [2, 0] to [3, 0] 2026-03-02 Call the plumber #phone #urgent
         The store is at position 3: all of it was one commit.

      -- She adds another category that is called Home.
         Refused: there is a category of this name.

      -- She deletes the category Garden.
         Tasks: - section 1 [Garden]
         Tasks: > [1, 0] to [0, 1] ---------- Prune the roses

      -- In the end:
         Tasks
          [No Category]
            ---------- Buy stamps #errand
            ---------- Prune the roses
          [Home]
            2026-03-01 Pay the rent #urgent
          [Office]
            2026-03-02 Call the plumber #phone #urgent
            2026-03-05 Send the report #phone #urgent
         Pick a category
            Office (2)
            Home (1)

      """#
    try expect("Todo", prints: expected)
  }

  @Test func aNamedDirectoryKeepsASoundStore() throws {
    try expectStore("todo.daybook", of: "Todo")
  }
}
