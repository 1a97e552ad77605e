import Testing

/// The recipes: a ready-made store, ordered ingredients, and cascading deletes.
@Suite struct RecipesTests {
  @Test func theSessionPrintsWhatItDoes() throws {
    let expected = #"""

      -- The application starts for the first time.
         The ready-made store was copied.
         Recipes
            (~~) Birthday cake (Dessert): flour, eggs, sugar
                 Lemonade (Drink): lemons, water, sugar

      -- Paolo opens the cake: the ingredients are there, without a query of their own.
         1. 200 g flour
         2. 3 eggs
         3. 100 g sugar
              ! !  
            (#####)
            (~~~~~)
            (#####)
            \_____/

      -- He drags the sugar to the top: one link changes, and no number of any ingredient.
         Ingredients
            200 g flour
            3 eggs
            100 g sugar
         Ingredients: > [0, 2] to [0, 0] 100 g sugar

      -- He adds a recipe, and calls it otherwise.
         Recipes: + [0, 2]      Pancakes (Dessert): eggs, flour, milk
         Recipes: ~ [0, 0] (~~) Birthday cake (Dessert): sugar, flour, eggs
         Recipes: > [0, 2] to [0, 0]      American pancakes (Dessert): eggs, flour, milk

      -- He deletes the cake.
         Ingredients: 9, images: 1
         Recipes: - [0, 1] (~~) Birthday cake (Dessert): sugar, flour, eggs
         Ingredients: - [0, 2] 3 eggs
         Ingredients: - [0, 1] 200 g flour
         Ingredients: - [0, 0] 100 g sugar
         Ingredients: 6, images: 0

      -- The application starts again: nothing is copied, and all is as he left it.
         Recipes
                 American pancakes (Dessert): eggs, flour, milk
                 Lemonade (Drink): lemons, water, sugar

      """#
    try expect("Recipes", prints: expected)
  }

  @Test func aNamedDirectoryKeepsASoundStore() throws {
    try expectStore("recipes.daybook", of: "Recipes")
  }
}
