"""A recipe book as lines of `daybook apply`, the same ones each time: dishes come, are renamed, scaled, tagged and sorted."""

import datetime
import json
import random

MODEL = {
    "entities": [
        {
            "name": "Recipe",
            "nameAttribute": "name",
            "attributes": [
                {"name": "name", "type": "string", "order": "natural"},
                {"name": "servings", "type": "integer", "default": 1},
                {"name": "note", "type": "string", "optional": True},
                {"name": "ingredientCount", "derived": {"count": "ingredients"}},
            ],
            "relationships": [
                {"name": "type", "to": "RecipeType", "inverse": "recipes", "optional": True},
                {"name": "ingredients", "to": "Ingredient", "many": True, "ordered": True, "inverse": "recipe", "onDelete": "cascade"},
                {"name": "tags", "to": "Tag", "many": True, "inverse": "recipes"},
            ],
            "unique": [["name"]],
            "indexes": [["type.name", "name"], ["changedAt:desc"]],
        },
        {
            "name": "RecipeType",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [{"name": "recipes", "to": "Recipe", "many": True, "inverse": "type", "onDelete": "deny"}],
        },
        {
            "name": "Ingredient",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}, {"name": "amount", "type": "string", "optional": True}],
            "relationships": [{"name": "recipe", "to": "Recipe", "inverse": "ingredients"}],
        },
        {
            "name": "Tag",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [{"name": "recipes", "to": "Recipe", "many": True, "inverse": "tags"}],
        },
    ]
}

DISHES = {
    "Bread": ["Rye bread", "Focaccia", "Soda bread", "Brioche", "Pita"],
    "Dessert": ["Apple pie", "Chocolate cake", "Lemon tart", "Crème brûlée", "Plum crumble", "Rice pudding"],
    "Drink": ["Ginger lemonade", "Mint tea", "Hot chocolate"],
    "Fish": ["Baked trout", "Cod in parsley sauce", "Fish pie", "Grilled sardines"],
    "Pasta": ["Cacio e pepe", "Lasagne", "Pesto trofie", "Ravioli with ricotta", "Spaghetti alle vongole"],
    "Salad": ["Caesar salad", "Greek salad", "Potato salad", "Tabbouleh"],
    "Soup": ["Leek soup", "Minestrone", "Onion soup", "Pumpkin soup", "Ramen"],
    "Stew": ["Beef goulash", "Chickpea stew", "Coq au vin", "Ratatouille"],
}
TAGS = ["quick", "vegetarian", "vegan", "spicy", "winter", "party", "cheap"]
INGREDIENTS = [
    "flour",
    "butter",
    "sugar",
    "eggs",
    "milk",
    "salt",
    "olive oil",
    "garlic",
    "onions",
    "tomatoes",
    "parsley",
    "lemon",
    "cream",
    "pepper",
    "rice",
    "yeast",
    "stock",
    "thyme",
]
NOTES = ["Better the next day.", "Less salt.", "Needs a hot oven.", "Double the garlic."]
AUTHORS = ["chef", "editor", "Maria", "Jonas"]


def lines():
    """Yields the lines of the book, a commit each."""
    chosen = random.Random(7)
    time = datetime.datetime(2026, 2, 3, 9)

    def commit(operations, author, message=None, **more):
        nonlocal time
        time += datetime.timedelta(minutes=chosen.randint(1, 1800))
        line = {"commit": operations, "author": author, "happenedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ"), **more}
        return json.dumps(line | ({"message": message} if message else {}))

    yield commit([{"insert": "RecipeType", "as": f"${name}", "values": {"name": name}} for name in DISHES], "editor", "The kinds of dishes")
    yield commit([{"insert": "Tag", "as": f"$tag-{name}", "values": {"name": name}} for name in TAGS], "editor", "Tags")
    dishes = [(kind, name) for kind, names in DISHES.items() for name in names]
    chosen.shuffle(dishes)
    for index, (kind, name) in enumerate(dishes):
        first = name if chosen.random() < 0.8 else name.split()[0]
        operations = [
            {"insert": "Recipe", "as": f"$dish{index}", "values": {"name": first, "servings": chosen.choice([1, 2, 4, 6])}, "relate": {"type": f"${kind}"}}
        ]
        for number, ingredient in enumerate(chosen.sample(INGREDIENTS, chosen.randint(3, 6))):
            operations.append({"insert": "Ingredient", "as": f"$part{index}-{number}", "values": {"name": ingredient}, "relate": {"recipe": f"$dish{index}"}})
        yield commit(operations, chosen.choice(AUTHORS), f"Add {name}", metadata={"source": chosen.choice(["market", "web"]), "page": chosen.randint(1, 300)})
        for _ in range(chosen.randint(0, 4)):
            yield change(chosen, commit, index, dishes)


def change(chosen, commit, count, dishes):
    """Returns a commit that changes one of the first dishes."""
    other = chosen.randint(0, count)
    kind = chosen.random()
    if kind < 0.3:
        return commit([{"set": f"$dish{other}", "values": {"servings": chosen.choice([2, 4, 8, 10, 12])}}], chosen.choice(AUTHORS), "Scale")
    if kind < 0.5:
        return commit([{"set": f"$dish{other}", "values": {"note": chosen.choice(NOTES)}}], chosen.choice(AUTHORS))
    if kind < 0.7:
        return commit([{"relate": f"$dish{other}", "relationship": "tags", "to": f"$tag-{chosen.choice(TAGS)}"}], chosen.choice(AUTHORS), "Tag it")
    if kind < 0.85:
        return commit([{"rename": f"$dish{other}", "to": dishes[other][1]}], "editor", "Proper name")
    return commit(
        [{"relate": f"$dish{other}", "relationship": "type", "to": f"${chosen.choice(list(DISHES))}"}],
        chosen.choice(AUTHORS),
        "Sort elsewhere",
        correlation="tidying",
    )
