"""What a person does and sees in Todo."""

import collections
import datetime

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


def weeks(window):
    """Opens the list of weeks from the list of tasks."""
    window.press("Weeks")
    until(lambda: window.heading() == "Weeks" and window.rows(), 10, "the weeks")


def days_of(week):
    """Returns an ISO week, such as 2026-W49, as the page shows it."""
    first = datetime.date.fromisocalendar(*(int(part) for part in week.split("-W")), 1)
    last = first + datetime.timedelta(6)
    is_same = [first.year == last.year, first.month == last.month]
    words = [first.strftime(" ".join(["%-d", *["%b"] * (not is_same[1]), *["%Y"] * (not is_same[0])])), last.strftime("%-d %b %Y")]
    return " – ".join(words).replace("Sep", "Sept")


def counted(program, *options):
    """Returns the list of weeks as it follows from the stored tasks: `[(title, [rows])]`."""
    stored = program.stored("todo")
    names = {row["id"]: row["values"]["name"] for row in stored.objects("Category", *options)}
    counts = collections.Counter()
    for row in stored.objects("Task", *options):
        due = row["values"]["due"]
        week = due and "{}-W{:02}".format(*datetime.date.fromisoformat(due[:10]).isocalendar()[:2])
        counts[week or "", names.get(row["links"]["category"], "")] += 1
    sections = []
    for week in sorted({week for week, _ in counts}):
        parts = sorted((name, count) for (other, name), count in counts.items() if other == week)
        by_count = sorted(parts, key=lambda part: -part[1])
        title = [days_of(week) if week else "No Due Date", tasks(sum(count for _, count in parts))]
        if len(parts) > 1 and by_count[0][1] > by_count[1][1] and by_count[0][0]:
            title.append(f"most in {by_count[0][0]}")
        sections.append((" · ".join(title), [f"{name or 'No Category'} | {tasks(count)}" for name, count in parts]))
    return sections


def tasks(count):
    return f"{count} task{'' if count == 1 else 's'}"
