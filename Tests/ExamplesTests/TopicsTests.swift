import Testing

/// The topics: batches, and a list that reacts to the rename of a related object.
@Suite struct TopicsTests {
  @Test func theSessionPrintsWhatItDoes() throws {
    let expected = #"""

      -- Two lists, each of the topics of one category, and the list of categories:
         Topics of Swift
            Question 45
            Question 44
            Question 43
            ... and 42 more
         Topics of Swift 6: empty
         Categories
            Databases, created 08:01, changed 08:01
            Swift, created 08:01, changed 08:01

      -- Jo scrolls to the end.
         Batch 1 has 20 rows: Question 45 to Question 26
         Batch 2 has 20 rows: Question 25 to Question 6
         Batch 3 has 5 rows: Question 5 to Question 1

      -- A topic is written, and one of another category.
         Topics of Swift: + [0, 0] What is a macro?
         Topics of Swift: nothing to do

      -- The topic that was changed last goes to the other category.
         Topics of Swift: - [0, 0] What is a macro?

      -- The category is renamed. No topic was touched, and yet all of them leave one list and come to the other.
         Categories: ~ [0, 1] Swift 6, created 08:01, changed 08:51
         Topics of Swift: - [0, 44] Question 1
         Topics of Swift: - [0, 43] Question 2
         Topics of Swift: - [0, 42] Question 3
         Topics of Swift: - [0, 41] Question 4
            ... and 41 more
         Topics of Swift 6: + [0, 0] Question 45
         Topics of Swift 6: + [0, 1] Question 44
         Topics of Swift 6: + [0, 2] Question 43
         Topics of Swift 6: + [0, 3] Question 42
            ... and 41 more

      -- In the end:
         Topics of Databases
            What is a macro?
            What is a layer?
            What is a journal?
         Categories
            Databases, created 08:01, changed 08:01
            Swift 6, created 08:01, changed 08:51

      """#
    try expect("Topics", prints: expected)
  }

  @Test func aNamedDirectoryKeepsASoundStore() throws {
    try expectStore("topics.daybook", of: "Topics")
  }
}
