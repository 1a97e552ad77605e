"""What every view of every page must be: without anything that axe reports, and no wider than its window."""
from axe_selenium_python import Axe

from browser import until


def check(browser, what):
    """Fails if axe reports something in the view, or if the view is wider than the window."""
    # Names come a moment later, and a flash has other colours while it fades.
    until(lambda: browser.run("return document.getAnimations().every((animation) => animation.playState !== 'running')"))
    axe = Axe(browser.driver)
    axe.inject()
    violations = axe.run()["violations"]
    assert not violations, f"{what}: {axe.report(violations)}"
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"{what} is wider than the window"
