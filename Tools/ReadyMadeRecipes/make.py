"""Makes the ready-made recipes: `make.py COMMAND FILE` writes the events that the application imports at its first start."""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import uuid

import pictures
from recipes import COOKED, MODEL, RECIPES, TYPES

DAY = "2026-01-15"


def identity(name):
    """Returns an identity that is the same at each run."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"daybook:recipes/{name}"))


def text(data):
    return base64.b64encode(data).decode()


def commit(number, operations, message, time=None):
    """Returns a line of `apply`; everything that would differ between runs is named."""
    time = time or f"{DAY}T09:{number:02}:00Z"
    return {"commit": operations, "commitID": identity(f"commit {number}"), "author": "ready-made", "message": message, "happenedAt": time}


def recipe(number, name, picture, kind, type_name, minutes, overview, ingredients, instructions):
    image = getattr(pictures, picture)().finished()
    key, photo = identity(name), identity(f"photo of {name}")
    operations = [
        {
            "insert": "Recipe",
            "id": key,
            "relate": {"type": identity(type_name)},
            "values": {"name": name, "overview": overview, "minutes": minutes, "instructions": instructions, "thumbnail": text(pictures.thumbnail(image))},
        },
        {"insert": "Photo", "id": photo, "relate": {"recipe": key}, "values": {"data": text(pictures.encoded(image, kind)), "kind": f"image/{kind}"}},
    ]
    for place, words in enumerate(ingredients):
        amount, ingredient = words.split("|")
        operations.append(
            {"insert": "Ingredient", "id": identity(f"{name} {place}"), "relate": {"recipe": key}, "values": {"name": ingredient, "amount": amount}}
        )
    return commit(number, operations, f"add {name}")


def lines():
    types = [{"insert": "RecipeType", "id": identity(name), "values": {"name": name}} for name in TYPES]
    yield commit(0, types, "add the types")
    for number, entry in enumerate(RECIPES, 1):
        yield recipe(number, *entry)
    for number, (name, day) in enumerate(COOKED, 1 + len(RECIPES)):
        event = {"record": "Cooked", "about": identity(name), "values": {"day": f"{day}T00:00:00Z"}}
        yield commit(number, [event], "cooked", f"{day}T18:30:00Z")


def main(command, file):
    with tempfile.TemporaryDirectory() as directory:
        store, model = f"{directory}/recipes.daybook", pathlib.Path(directory) / "model.json"
        model.write_text(json.dumps(MODEL))
        subprocess.run([command, "init", store, "--model", model], check=True, stdout=subprocess.DEVNULL)
        text_of_lines = "".join(json.dumps(line) + "\n" for line in lines())
        subprocess.run([command, "apply", store], input=text_of_lines, text=True, check=True, stdout=subprocess.DEVNULL)
        with open(file, "wb") as output:
            subprocess.run([command, "export", store], check=True, stdout=output)
    print(f"{file}: {pathlib.Path(file).stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main(*sys.argv[1:])
