"""What a person does in First."""

from browser import until


def add(window, name):
    window.press(next(label for label in ("Add root", "Add child") if window.visible_button(label)))
    window.field("Name")
    window.keys(name)
    window.save()


def descend(window, *names):
    for name in names:
        window.open_row(name)
        until(lambda: window.heading() == name, 10, name)
