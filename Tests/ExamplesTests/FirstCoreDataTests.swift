import Testing

/// The outline: a cancelled edit leaves no trace, and a delete of a root cascades.
@Suite struct FirstCoreDataTests {
  @Test func theSessionPrintsWhatItDoes() throws {
    let expected = #"""
         Roots: empty

      -- Ada taps +, types “Plants”, and cancels.
         Roots: nothing to do
         The store is at position 1: nothing but the model was ever written.

      -- She adds three roots.
         Roots: + [0, 0] Plants
         Roots: + [0, 0] Animals
         Roots: + [0, 1] Minerals

      -- She renames Minerals, and cancels.
         Roots: nothing to do

      -- She renames Minerals, and saves.
         Roots: > [0, 1] to [0, 2] Stones

      -- She opens Animals.
         Children: empty
         Children: + [0, 0] Vertebrates
         Children: + [0, 0] Insects

      -- She sorts a cat in, five levels below Vertebrates.
         Children: nothing to do
         There are 3 roots and 7 below them.

      -- She deletes Animals.
         Delete “Animals” and 7 below it?
         Roots: - [0, 0] Animals
         Children: - [0, 1] Vertebrates
         Children: - [0, 0] Insects
         There are 2 roots and 0 below them.

      """#
    try expect("FirstCoreData", prints: expected)
  }

  @Test func aNamedDirectoryKeepsASoundStore() throws {
    try expectStore("outline.daybook", of: "FirstCoreData")
  }
}
