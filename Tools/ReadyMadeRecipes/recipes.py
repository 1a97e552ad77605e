"""The ready-made recipes: their texts, and the model of the application."""

MODEL = {
    "entities": [
        {
            "name": "Recipe",
            "nameAttribute": "name",
            "attributes": [
                {"name": "name", "type": "string", "order": "natural", "minimumLength": 1, "maximumLength": 200},
                {"name": "overview", "type": "string", "optional": True, "maximumLength": 500},
                {"name": "minutes", "type": "integer", "optional": True, "minimum": 1, "maximum": 10080},
                {"name": "instructions", "type": "string", "optional": True},
                {"name": "thumbnail", "type": "data", "optional": True},
            ],
            "relationships": [
                {"name": "type", "to": "RecipeType", "inverse": "recipes", "optional": True},
                {"name": "photo", "to": "Photo", "inverse": "recipe", "optional": True, "onDelete": "cascade"},
                {"name": "ingredients", "to": "Ingredient", "inverse": "recipe", "many": True, "ordered": True, "onDelete": "cascade", "most": 100},
            ],
            "indexes": [["name"]],
        },
        {
            "name": "Ingredient",
            "nameAttribute": "name",
            "attributes": [
                {"name": "name", "type": "string", "minimumLength": 1, "maximumLength": 200},
                {"name": "amount", "type": "string", "optional": True, "maximumLength": 60},
            ],
            "relationships": [{"name": "recipe", "to": "Recipe", "inverse": "ingredients"}],
        },
        {
            "name": "RecipeType",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string", "order": "natural", "minimumLength": 1, "maximumLength": 60}],
            "relationships": [{"name": "recipes", "to": "Recipe", "inverse": "type", "many": True}],
            "unique": [["name"]],
        },
        {
            "name": "Photo",
            "attributes": [{"name": "data", "type": "data"}, {"name": "kind", "type": "string", "oneOf": ["image/jpeg", "image/png"]}],
            "relationships": [{"name": "recipe", "to": "Recipe", "inverse": "photo", "optional": True}],
        },
    ],
    "events": [{"name": name, "about": "Recipe", "attributes": [{"name": "day", "type": "date"}]} for name in ("Cooked", "NotCooked")],
}

TYPES = ["Breakfast", "Dessert", "Drink", "Main dish", "Salad", "Soup"]

RECIPES = [
    (
        "Apple pie",
        "apple_pie",
        "jpeg",
        "Dessert",
        90,
        "A buttery crust with a lattice, over apples with cinnamon.",
        ["300 g|flour", "200 g|cold butter", "6|tart apples", "120 g|sugar", "2 tsp|cinnamon", "1|lemon", "1|egg"],
        (
            "Rub the butter into the flour with a pinch of salt, bring it together with 4 spoons of cold water, and let it rest in the "
            "cold for half an hour.\nPeel and slice the apples; mix them with sugar, cinnamon and the juice of the lemon.\nRoll out two "
            "thirds of the dough for the tin, fill in the apples, and weave a lattice of the rest.\nBrush with egg, and bake at 190 °C "
            "for 45 minutes, until the juice bubbles."
        ),
    ),
    (
        "Chocolate cake",
        "chocolate_cake",
        "png",
        "Dessert",
        75,
        "Dark and moist, with cherries on cream.",
        ["200 g|dark chocolate", "200 g|butter", "4|eggs", "180 g|sugar", "140 g|flour", "200 ml|cream", "8|cherries"],
        (
            "Melt the chocolate with the butter.\nBeat the eggs with the sugar until they are pale, fold in the chocolate, then the "
            "flour.\nBake at 180 °C for 35 minutes; the middle may stay soft.\nWhip the cream, and set it round the cold cake with the "
            "cherries."
        ),
    ),
    (
        "Greek salad",
        "greek_salad",
        "jpeg",
        "Salad",
        15,
        "Tomatoes, cucumber, olives and feta: a summer on a plate.",
        ["4|tomatoes", "1|cucumber", "1|red onion", "200 g|feta", "20|olives", "4 tbsp|olive oil", "1 tsp|oregano"],
        (
            "Cut the tomatoes into wedges and the cucumber into thick slices; slice the onion thinly.\nPut the feta on top in cubes, "
            "add the olives, and dress with oil and oregano. Salt goes in last, and little of it."
        ),
    ),
    (
        "Lemonade",
        "lemonade",
        "jpeg",
        "Drink",
        10,
        "Sharp, cold, and not too sweet.",
        ["4|lemons", "100 g|sugar", "1 l|water", "1 handful|mint", "12|ice cubes"],
        ("Dissolve the sugar in 200 ml of hot water.\nPress three lemons, slice the fourth, and mix all with the cold water.\nServe over ice with mint."),
    ),
    (
        "Margherita pizza",
        "margherita",
        "jpeg",
        "Main dish",
        40,
        "Tomato, mozzarella, basil: three colours and a hot oven.",
        ["250 g|flour", "160 ml|water", "5 g|yeast", "200 g|tomatoes", "150 g|mozzarella", "8 leaves|basil", "1 tbsp|olive oil"],
        (
            "Knead flour, water, yeast and a spoon of salt for ten minutes, and let the dough rise overnight in the cold.\nStretch it "
            "by hand; crush the tomatoes on it, and tear the mozzarella over them.\nBake as hot as the oven allows, 7 to 9 minutes. "
            "Basil and oil come last."
        ),
    ),
    (
        "Pancakes",
        "pancakes",
        "png",
        "Breakfast",
        25,
        "A stack for a slow morning, with berries.",
        ["200 g|flour", "300 ml|milk", "2|eggs", "2 tsp|baking powder", "30 g|butter", "100 g|blueberries", "4 tbsp|maple syrup"],
        (
            "Whisk flour, baking powder, milk and eggs to a thick batter, and wait ten minutes.\nBake in a little butter over a low heat; "
            "turn them when bubbles open at the top.\nStack, with butter, berries and syrup."
        ),
    ),
    (
        "Ratatouille",
        "ratatouille",
        "jpeg",
        "Main dish",
        80,
        "Four vegetables in cycles, on a red sauce.",
        ["2|aubergines", "3|courgettes", "5|tomatoes", "2|yellow peppers", "2 cloves|garlic", "4 tbsp|olive oil", "1 sprig|thyme"],
        (
            "Cook the peppers, one tomato and the garlic to a thick sauce, and spread it in a round dish.\nSlice the other vegetables "
            "thinly, and set them on edge in cycles, in turn.\nBake with oil and thyme at 170 °C for an hour, the first half covered."
        ),
    ),
    (
        "Tomato soup",
        "tomato_soup",
        "png",
        "Soup",
        35,
        "From ripe tomatoes, with cream and croutons.",
        ["1 kg|tomatoes", "1|onion", "2 cloves|garlic", "500 ml|stock", "100 ml|cream", "2 slices|bread", "4 leaves|basil"],
        (
            "Roast the tomatoes with onion and garlic at 200 °C for 25 minutes.\nBlend them with the hot stock, and pass the soup through "
            "a sieve.\nFry the bread in cubes. Serve with a swirl of cream, croutons and basil."
        ),
    ),
]

# What was cooked on which day.
COOKED = [
    ("Pancakes", "2026-01-18"),
    ("Tomato soup", "2026-01-27"),
    ("Pancakes", "2026-02-08"),
    ("Margherita pizza", "2026-02-14"),
    ("Tomato soup", "2026-02-19"),
    ("Pancakes", "2026-02-22"),
    ("Greek salad", "2026-03-07"),
    ("Margherita pizza", "2026-03-13"),
]
