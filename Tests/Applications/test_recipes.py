"""Recipes: pictures, ingredients in order, types, the search and the kitchen tables."""

import base64
import hashlib
import io
import pathlib

import pytest
from PIL import Image
from selenium.webdriver import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import until
from daybook import run
from in_all import named, slide
from in_recipes import NAMES, PIE, edit, edit_shown, handle, has_parts, open_recipe, shows, titles


@pytest.fixture
def recipes(window):
    window.visit("recipes")
    shows(window, NAMES)
    return window


def the(program, entity, *options):
    return program.stored("recipes").objects(entity, *options)


def photo_of(program, name):
    """Returns the bytes of a recipe's photo, as the store has them."""
    recipe = next(row for row in the(program, "Recipe") if row["values"]["name"] == name)
    photo = recipe["links"]["photo"] and next(row for row in the(program, "Photo") if row["id"] == recipe["links"]["photo"])
    data = photo and photo["values"]["data"]
    if isinstance(data, dict):
        file = pathlib.Path(program.stored("recipes").path).parent / "photo"
        run("value", program.stored("recipes").path, data["sha256"], file)
        return recipe, file.read_bytes()
    return recipe, data and base64.b64decode(data)


def test_the_ready_made_recipes_are_listed_by_name_with_thumbnails(recipes):
    assert [section for section, _ in recipes.sections()] == list("ACGLMPRT")
    until(lambda: recipes.run("return [...document.querySelectorAll('.row .thumbnail')].filter((canvas) => canvas.width === 112).length") >= 6)
    colours = recipes.run("""return [...document.querySelectorAll(".row .thumbnail")].slice(0, 4)
      .map((canvas) => [...canvas.getContext("2d").getImageData(4, 4, 1, 1).data].join())""")
    assert len(set(colours)) == 4
    assert "Dessert · 90 min" in recipes.text('.row[aria-rowindex="1"] .kind')


def test_a_letter_at_the_side_leads_to_its_section(recipes):
    assert recipes.texts(".letters button") == list("ACGLMPRT")
    recipes.press("To T")
    until(
        lambda: recipes.run(
            """const row = document.querySelector('.row.at');
              return row?.querySelector('strong').textContent === 'Tomato soup'
                && row.getBoundingClientRect().bottom <= document.querySelector('.rows').getBoundingClientRect().bottom + 1"""
        )
    )
    recipes.keys(Keys.ENTER)
    until(lambda: recipes.text(".part h1") == "Tomato soup")


def test_the_list_is_searched_as_one_types(recipes):
    recipes.run("document.querySelector('.recipe-list .row').remembered = true")
    field = recipes.one(".search")
    field.send_keys("t")
    field.send_keys("OMATO")
    shows(recipes, ["Greek salad", "Margherita pizza", "Tomato soup"])
    assert recipes.driver.switch_to.active_element == field, "the field keeps the focus"
    assert recipes.texts(".letters button") == list("GMT")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("crust")
    # The text is in the overview alone.
    shows(recipes, ["Apple pie"])
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("nothing has this")
    until(lambda: "No recipe has this" in recipes.text(".empty"))
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(Keys.DELETE)
    shows(recipes, NAMES)


def test_only_the_detail_view_reads_the_large_picture(recipes, program):
    _, pie = photo_of(program, "Apple pie")
    asked = "return performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname).filter((path) => path.includes('/api/objects/'))"
    assert recipes.run(asked) == []
    page = recipes.wait("return (await (await fetch('/recipes/api/fetch/Recipe')).text())")
    assert base64.b64encode(pie).decode()[:400] not in page
    open_recipe(recipes, "Apple pie")
    until(lambda: recipes.run("return document.querySelector('.recipe .photo').width") == 480)
    assert len(recipes.run(asked)) == 1
    assert recipes.one(".recipe .photo").get_attribute("aria-label") == "Photo of Apple pie"
    assert recipes.texts(".fact") == ["Dessert", "90 minutes"] and len(recipes.all(".instructions li")) == 4


@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
def test_a_photo_is_stored_byte_for_byte(recipes, program, tmp_path, kind):
    picture = Image.effect_noise((700, 400), 80).convert("RGB")
    file = tmp_path / f"photo.{kind.lower()}"
    picture.save(file, kind)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    old, _ = photo_of(program, "Lemonade")
    edit(recipes, "Lemonade")
    recipes.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(file))
    until(lambda: recipes.run("return document.querySelector('.form .photo').width") == 700)
    assert photo_of(program, "Lemonade")[0] == old, "nothing is stored before Save"
    # The form has the picture also for a page that did not choose it, and draws it from the same bytes.
    recipes.driver.refresh()
    until(lambda: recipes.run("return document.querySelector('.form .photo')?.width") == 700)
    path = until(
        lambda: recipes.run(
            "return performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).find((path) => path.includes('/values/'))"
        )
    )
    assert path.startswith("/recipes/forms/") and path.endswith(f"/values/{digest}")
    assert photo_of(program, "Lemonade")[0] == old
    recipes.save()
    until(lambda: recipes.run("return document.querySelector('.recipe .photo')?.width") == 700)
    recipe, stored = photo_of(program, "Lemonade")
    assert hashlib.sha256(stored).hexdigest() == digest
    thumbnail = Image.open(io.BytesIO(base64.b64decode(recipe["values"]["thumbnail"])))
    assert thumbnail.size == (112, 112) and recipe["values"]["thumbnail"] != old["values"]["thumbnail"]
    assert len(the(program, "Photo")) == 8, "the former photo is deleted"
    program.kill()
    program.start()
    assert hashlib.sha256(photo_of(program, "Lemonade")[1]).hexdigest() == digest
    recipes.visit("recipes")
    open_recipe(recipes, "Lemonade")
    until(lambda: recipes.run("return document.querySelector('.recipe .photo').width") == 700)


def test_a_file_that_is_no_picture_is_refused(recipes, program, tmp_path):
    file = tmp_path / "photo.png"
    file.write_text("no picture")
    edit(recipes, "Lemonade")
    recipes.driver.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(file))
    until(lambda: "no picture" in recipes.text(".form > .wrong"))
    recipes.press("Cancel")
    until(lambda: not recipes.has_form())


def test_ingredients_are_put_in_order_by_dragging(recipes, other, program):
    other.visit("recipes")
    open_recipe(other, "Apple pie")
    edit(recipes, "Apple pie")
    has_parts(recipes, PIE)
    target = handle(recipes, "flour")
    recipes.run("document.querySelector('.ingredient-rows').scrollIntoView()")
    ActionChains(recipes.driver).click_and_hold(handle(recipes, "sugar")).move_to_element_with_offset(target, 0, -10).move_by_offset(0, -3).release().perform()
    moved = ["sugar", "flour", "cold butter", "tart apples", "cinnamon", "lemon", "egg"]
    has_parts(recipes, moved)
    has_parts(other, PIE)
    head = program.head("recipes")
    recipes.save()
    has_parts(other, moved)
    events = program.commits("recipes")[-1]["events"]
    assert program.head("recipes") == head + 1 and all(event["event"] in ("related", "unrelated") for event in events), "no number of any ingredient changes"
    program.kill()
    program.start()
    other.visit("recipes")
    open_recipe(other, "Apple pie")
    has_parts(other, moved)


def test_ingredients_are_put_in_order_by_keys(recipes):
    edit(recipes, "Apple pie")
    handle(recipes, "egg").send_keys(Keys.ARROW_UP)
    has_parts(recipes, ["flour", "cold butter", "tart apples", "sugar", "cinnamon", "egg", "lemon"])
    # The handle keeps the focus, so that the next key moves it on.
    recipes.keys(Keys.ARROW_UP)
    has_parts(recipes, ["flour", "cold butter", "tart apples", "sugar", "egg", "cinnamon", "lemon"])
    recipes.keys(Keys.ARROW_DOWN)
    has_parts(recipes, ["flour", "cold butter", "tart apples", "sugar", "cinnamon", "egg", "lemon"])
    recipes.press("Cancel")
    until(lambda: not recipes.has_form())
    has_parts(recipes, PIE)


def test_ingredients_are_added_changed_and_deleted_in_one_commit(recipes, program):
    head = program.head("recipes")
    edit(recipes, "Apple pie")
    recipes.one('[aria-label="New ingredient: amount"]').send_keys("1 pinch")
    recipes.one('[aria-label="New ingredient: name"]').send_keys("salt", Keys.ENTER)
    has_parts(recipes, [*PIE, "salt"])
    amount = recipes.one('[aria-label="amount of flour"]')
    amount.send_keys(Keys.CONTROL, "a")
    amount.send_keys("350 g", Keys.TAB)
    recipes.press("Delete lemon")
    has_parts(recipes, ["flour", "cold butter", "tart apples", "sugar", "cinnamon", "egg", "salt"])
    form = recipes.one(".form > .actions")
    form.find_element(By.XPATH, './/button[.="Undo"]').click()
    has_parts(recipes, [*PIE, "salt"])
    recipes.press("Delete lemon")
    assert program.head("recipes") == head
    recipes.save()
    has_parts(recipes, ["flour", "cold butter", "tart apples", "sugar", "cinnamon", "egg", "salt"])
    # The recipe is read again when the form has closed, and is not in view before.
    amounts = until(lambda: recipes.texts(".ingredients .amount"), 10, "the amounts")
    assert amounts[0] == "350 g" and amounts[-1] == "1 pinch"
    assert program.head("recipes") == head + 1


def test_a_type_that_is_there_is_chosen_or_none(recipes, program):
    for chosen, facts in (("Salad", ["Salad", "90 minutes"]), ("None", ["90 minutes"])):
        edit(recipes, "Apple pie") if chosen == "Salad" else edit_shown(recipes, "Apple pie")
        recipes.run("arguments[0].click()", recipes.one(f'[type=radio][aria-label="{chosen}"]'))
        until(lambda: recipes.one(".form > .actions button:not([disabled])[title^='Undo']"), 10, "the edit has arrived")
        assert recipes.one(f'[type=radio][aria-label="{chosen}"]').is_selected()
        recipes.save()
        until(lambda: recipes.texts(".fact") == facts)
    assert len(the(program, "RecipeType")) == 6, "no type is gone"


def test_a_photo_is_removed(recipes, program):
    edit(recipes, "Lemonade")
    # The focus brings it out from under the bar with Save.
    recipes.run("arguments[0].focus()", recipes.visible_button("Remove"))
    recipes.press("Remove")
    until(lambda: not recipes.all(".form .photo:not(.without)"))
    recipes.save()
    until(lambda: recipes.text(".part h1") == "Lemonade")
    recipe, photo = photo_of(program, "Lemonade")
    assert photo is None and recipe["values"]["thumbnail"] is None and len(the(program, "Photo")) == 7
    assert not recipes.one(".recipe").find_elements(By.CSS_SELECTOR, ".photo:not(.without)")


def test_types_are_chosen_and_edited(recipes, program):
    edit(recipes, "Apple pie")
    assert recipes.one('[type=radio][aria-label="Dessert"]').is_selected()
    recipes.one('[aria-label="New type: name"]').send_keys("Cake", Keys.ENTER)
    until(lambda: recipes.one('[type=radio][aria-label="Cake"]').is_selected())
    soup = recipes.one('[aria-label="name of Soup"]')
    soup.send_keys(Keys.CONTROL, "a")
    soup.send_keys("Soup and stew", Keys.TAB)
    recipes.press("Delete Drink")
    until(lambda: not recipes.all('[aria-label="name of Drink"]'))
    recipes.save()
    until(lambda: recipes.texts(".fact")[:1] == ["Cake"])
    assert sorted(row["values"]["name"] for row in the(program, "RecipeType")) == ["Breakfast", "Cake", "Dessert", "Main dish", "Salad", "Soup and stew"]
    recipes.press("Back")
    until(lambda: "Soup and stew · 35 min" in recipes.texts(".kind"))
    assert "10 min" in recipes.texts(".kind"), "the lemonade has no type"
    edit(recipes, "Apple pie")
    recipes.one('[aria-label="New type: name"]').send_keys("Salad", Keys.ENTER)
    recipes.press("Save")
    until(lambda: "“Salad” is taken" in recipes.text(".form > .wrong"))
    recipes.press("Cancel")


def test_a_recipe_is_added_changed_and_deleted(recipes, program):
    recipes.press("Add recipe")
    until(recipes.has_form)
    recipes.press("Save")
    until(lambda: "must not be empty" in recipes.text(".field .wrong"))
    recipes.type("Name", "Éclair")
    recipes.type("Overview", "Filled with cream.")
    recipes.type("Preparation time in minutes", "0")
    recipes.type("Instructions", "Bake.\nFill.")
    recipes.press("Save")
    until(lambda: recipes.has_form() and any(node.text for node in recipes.all(".field .wrong")))
    recipes.type("Preparation time in minutes", "50")
    recipes.save()
    until(lambda: recipes.text(".part h1") == "Éclair")
    assert recipes.texts(".instructions li") == ["Bake.", "Fill."] and recipes.texts(".fact") == ["50 minutes"]
    recipes.press("Delete")
    assert "with new times of creation and change" in recipes.text("dialog[open]")
    recipes.run("document.querySelector('dialog .danger').click()")
    shows(recipes, NAMES)
    program.kill()
    program.start()
    recipes.visit("recipes")
    shows(recipes, NAMES)
    recipes.press("Undo")
    until(lambda: "Éclair" in titles(recipes))
    run("verify", program.stored("recipes").path)


def test_the_kitchen_tables_convert_units_and_temperatures(recipes):
    recipes.click(".kitchen-link")
    field = recipes.one(".converter input")
    value = 'return document.querySelector(`[data-unit="${arguments[0]}"] td`)?.textContent'
    assert recipes.run(value, "ounces") == "3.527"
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("453.59237")
    until(lambda: recipes.run(value, "pounds") == "1")
    recipes.run("const choice = document.querySelector('.converter select'); choice.value = 'cups'; choice.dispatchEvent(new Event('change'))")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("2")
    until(lambda: recipes.run(value, "millilitres") == "473.2" and recipes.run(value, "pints") == "1")
    rows = recipes.run("return [...document.querySelectorAll('.temperatures tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))")
    assert ["180", "356", "4", "moderate"] in rows and len(rows) == 11


def test_time_and_authors(recipes, program):
    named(recipes, "Julia")
    edit(recipes, "Apple pie")
    handle(recipes, "egg").send_keys(Keys.ARROW_UP)
    recipes.type("Name", "Apple tart")
    recipes.save()
    until(lambda: recipes.text(".part h1") == "Apple tart")
    assert program.commits("recipes")[-1]["author"] == "Julia"
    recipes.press("History")
    until(lambda: "Julia" in recipes.text("#side .history"))
    slide(recipes, 10)
    until(lambda: recipes.text(".part h1") == "Apple pie")
    has_parts(recipes, PIE)
    assert not recipes.visible_button("Edit").is_enabled()
    slide(recipes, 2)
    until(lambda: "not there" in recipes.text(".empty"))
    named(recipes, "local")
