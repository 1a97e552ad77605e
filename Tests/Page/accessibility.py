"""What every view of every page must be: without anything that axe reports, and no wider than its window."""

import functools
import importlib.resources

from browser import until

# Older ones leave out serious rules.
VERSION = "4.12"
# What axe leaves to a person to judge is not reported, nor what is only advised.
RUN = "return await axe.run(document, { resultTypes: ['violations'] })"


@functools.cache
def axe():
    return importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def report(violations):
    """Returns a line for each element that breaks a rule."""
    return "\n".join(
        f"{rule['id']} ({rule['impact']}): {node['html'][:200]}\n    {node.get('failureSummary', '')}" for rule in violations for node in rule["nodes"]
    )


def check(browser, what):
    """Fails if axe reports something in the view, or if the view is wider than the window."""
    # Names come a moment later, and a flash has other colours while it fades.
    until(lambda: browser.run("return document.getAnimations().every((animation) => animation.playState !== 'running')"))
    browser.run(axe())
    assert browser.run("return axe.version").startswith(f"{VERSION}."), "the rules are those of this version"
    violations = browser.wait(RUN)["violations"]
    assert not violations, f"{what}: {report(violations)}"
    # A phone's window grows with what is in it, its root element does not.
    assert browser.run("return document.documentElement.scrollWidth <= document.documentElement.clientWidth"), f"{what} is wider than the window"
