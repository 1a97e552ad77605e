#!/usr/bin/env python3
"""Makes the files that the article "Moving in" imports, in this directory.

    Examples/MovingIn/make-samples.py

Recipes.sqlite has the tables that Core Data makes for Recipes.xcdatamodeld, by the rules of `docs/architecture.md`; no
program of Apple's made it. Library.sqlite is a database as any program makes one. Both are the same bytes each time.
"""

import os
import plistlib
import sqlite3

HERE = os.path.dirname(os.path.abspath(__file__))
STORE = "5B9C8E4A-3C1D-4E0B-9A57-2C6F1D0E7A31"

MODEL = """\
<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift"
    userDefinedModelVersionIdentifier="">
  <entity name="Ingredient" representedClassName="Ingredient" syncable="YES" codeGenerationType="class">
    <attribute name="amount" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
    <attribute name="name" attributeType="String"/>
    <relationship name="recipe" optional="YES" maxCount="1" deletionRule="Nullify"
      destinationEntity="Recipe" inverseName="ingredients" inverseEntity="Recipe"/>
  </entity>
  <entity name="Recipe" representedClassName="Recipe" syncable="YES" codeGenerationType="class">
    <attribute name="createdAt" optional="YES" attributeType="Date" usesScalarValueType="NO"/>
    <attribute name="name" attributeType="String"/>
    <attribute name="servings" attributeType="Integer 16" minValueString="1" defaultValueString="4" usesScalarValueType="YES"/>
    <attribute name="thumbnail" optional="YES" transient="YES" attributeType="Binary"/>
    <relationship name="ingredients" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
      destinationEntity="Ingredient" inverseName="recipe" inverseEntity="Ingredient"/>
    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Tag" inverseName="recipes" inverseEntity="Tag"/>
    <relationship name="type" optional="YES" maxCount="1" deletionRule="Nullify"
      destinationEntity="RecipeType" inverseName="recipes" inverseEntity="RecipeType"/>
  </entity>
  <entity name="RecipeType" representedClassName="RecipeType" syncable="YES" codeGenerationType="class">
    <attribute name="name" attributeType="String"/>
    <relationship name="recipes" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Recipe" inverseName="type" inverseEntity="Recipe"/>
  </entity>
  <entity name="Tag" representedClassName="Tag" syncable="YES" codeGenerationType="class">
    <attribute name="name" attributeType="String"/>
    <relationship name="recipes" optional="YES" toMany="YES" deletionRule="Nullify"
      destinationEntity="Recipe" inverseName="tags" inverseEntity="Recipe"/>
    <uniquenessConstraints>
      <uniquenessConstraint>
        <constraint value="name"/>
      </uniquenessConstraint>
    </uniquenessConstraints>
  </entity>
</model>
"""

CURRENT = """\
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>_XCCurrentVersionName</key>
  <string>Recipes.xcdatamodel</string>
</dict>
</plist>
"""

GUESTS = """\
mail,name,zip,since,vegetarian
ada@example.com,Ada,01234,2024-05-01,true
ben@example.com,Ben,20095,2025-11-30,false
cora@example.com,Cora,,,true
"""

TYPES = ["Dessert", "Main course", "Soup"]
TAGS = ["quick", "sweet", "vegetarian"]
# Name, servings, type, days since 2001, tags, ingredients.
RECIPES = [
    ("Apple pie", 8, 1, 7_300.5, [2, 3], [("apples", 1.5), ("flour", 0.25), ("sugar", 0.1)]),
    ("Lentil soup", 4, 3, 7_410.25, [1, 3], [("lentils", 0.3), ("carrots", 0.2)]),
    ("Onion tart", 6, 2, 7_601.0, [], [("onions", 1.0), ("bacon", 0.15), ("cream", None)]),
    ("Pancakes", 2, 1, 8_002.75, [1, 2, 3], [("flour", 0.2), ("milk", 0.3), ("eggs", 2.0)]),
]

CORE_DATA = """
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE ZINGREDIENT (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRECIPE INTEGER, Z_FOK_RECIPE INTEGER, ZAMOUNT FLOAT, ZNAME VARCHAR);
CREATE TABLE ZRECIPE (
  Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSERVINGS INTEGER, ZTYPE INTEGER, ZCREATEDAT TIMESTAMP, ZNAME VARCHAR);
CREATE TABLE ZRECIPETYPE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE Z_2TAGS (Z_2RECIPES INTEGER, Z_4TAGS INTEGER, PRIMARY KEY (Z_2RECIPES, Z_4TAGS));
CREATE UNIQUE INDEX Z_Tag_UNIQUE_name ON ZTAG (ZNAME COLLATE BINARY ASC);
"""

LIBRARY = """
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born DATE);
CREATE TABLE book (
  isbn TEXT PRIMARY KEY, title TEXT NOT NULL, pages INTEGER, price DECIMAL(6, 2),
  author_id INTEGER NOT NULL REFERENCES author (id) ON DELETE CASCADE);
CREATE TABLE shelf (id INTEGER PRIMARY KEY, room TEXT NOT NULL);
CREATE TABLE book_shelf (book TEXT REFERENCES book (isbn), shelf INTEGER REFERENCES shelf (id), PRIMARY KEY (book, shelf));
INSERT INTO author VALUES (1, 'Ada Miller', '1970-04-01'), (2, 'Ben Okafor', NULL);
INSERT INTO book VALUES ('978-0-00-000001-1', 'Soups of the North', 212, 19.9, 1), ('978-0-00-000002-8', 'Pies', 96, 12.5, 1),
  ('978-0-00-000003-5', 'One Pan', NULL, NULL, 2);
INSERT INTO shelf VALUES (1, 'kitchen'), (2, 'study');
INSERT INTO book_shelf VALUES ('978-0-00-000001-1', 1), ('978-0-00-000002-8', 1), ('978-0-00-000002-8', 2);
"""


def database(name):
    path = os.path.join(HERE, name)
    if os.path.exists(path):
        os.remove(path)
    return sqlite3.connect(path, isolation_level=None)


def core_data():
    store = database("Recipes.sqlite")
    store.executescript(CORE_DATA)
    names = ["Ingredient", "Recipe", "RecipeType", "Tag"]
    plist = plistlib.dumps(
        {"NSStoreModelVersionHashes": {name: bytes(32) for name in names}, "NSStoreModelVersionIdentifiers": [""], "NSPersistenceFrameworkVersion": 1344},
        fmt=plistlib.FMT_BINARY,
    )
    store.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", (STORE, plist))
    counts = [sum(len(recipe[5]) for recipe in RECIPES), len(RECIPES), len(TYPES), len(TAGS)]
    for number, (name, count) in enumerate(zip(names, counts, strict=True), 1):
        store.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", (number, name, count))
    for key, name in enumerate(TYPES, 1):
        store.execute("INSERT INTO ZRECIPETYPE VALUES (?, 3, 1, ?)", (key, name))
    for key, name in enumerate(TAGS, 1):
        store.execute("INSERT INTO ZTAG VALUES (?, 4, 1, ?)", (key, name))
    ingredient = 0
    for key, (name, servings, kind, days, tags, ingredients) in enumerate(RECIPES, 1):
        store.execute("INSERT INTO ZRECIPE VALUES (?, 2, 1, ?, ?, ?, ?)", (key, servings, kind, days * 86_400, name))
        for tag in tags:
            store.execute("INSERT INTO Z_2TAGS VALUES (?, ?)", (key, tag))
        for place, (part, amount) in enumerate(ingredients, 1):
            ingredient += 1
            store.execute("INSERT INTO ZINGREDIENT VALUES (?, 1, 1, ?, ?, ?, ?)", (ingredient, key, place * 1_024, amount, part))
    store.close()


def main():
    version = os.path.join(HERE, "Recipes.xcdatamodeld", "Recipes.xcdatamodel")
    os.makedirs(version, exist_ok=True)
    for path, text in [
        (os.path.join(version, "contents"), MODEL),
        (os.path.join(HERE, "Recipes.xcdatamodeld", ".xccurrentversion"), CURRENT),
        (os.path.join(HERE, "guests.csv"), GUESTS),
    ]:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    core_data()
    library = database("Library.sqlite")
    library.executescript(LIBRARY)
    library.close()


if __name__ == "__main__":
    main()
