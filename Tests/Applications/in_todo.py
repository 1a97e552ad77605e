"""What a person does and sees in Todo."""

from browser import until

CATEGORIES, TAGS = '[data-panel="categories"]', '[data-panel="tags"]'


def task(window, title):
    window.open_row(title)
    until(lambda: window.field("Title").get_attribute("value") == title, 10, title)


def identity(program, title):
    """Returns the identity of a stored task."""
    return program.stored("todo").objects("Task", "--where", f'title == "{title}"')[0]["id"]


def pick(window, name):
    window.click(f'[data-pick="{name}"]')
    window.one(f'[data-panel="{name}"] .row')


def leave(window):
    window.press("Back to the task")
    until(lambda: window.field("Title"))


def set_date(window, date):
    """Sets the date of the open form, as its date picker does."""
    window.run(
        "arguments[0].value = arguments[1]; for (const kind of ['input', 'change']) arguments[0].dispatchEvent(new Event(kind))", window.field("Due"), date
    )


def chosen(window, name):
    return window.text(f'[data-pick="{name}"]').split("\n")[0].rstrip("›").strip()
