"""A writer of random commits to the recipe book."""


def write(store, generator, stop):
    """Writes random commits until it is told to stop."""
    while not stop.is_set():
        objects = store.objects("Recipe")
        chosen = generator.choice(objects)["id"]
        types = store.objects("RecipeType")
        kind = generator.random()
        if kind < 0.35 or len(objects) < 10:
            line = {"insert": "Recipe", "values": {"name": f"New {generator.random()}", "servings": generator.randint(1, 9)}}
        elif kind < 0.5:
            line = {"delete": chosen}
        elif kind < 0.75:
            line = {"set": chosen, "values": {"servings": generator.randint(1, 9)}}
        else:
            line = {"relate": chosen, "relationship": "type", "to": generator.choice(types)["id"]}
        store.apply(line)
