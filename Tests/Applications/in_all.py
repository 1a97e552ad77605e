"""What a person does in each application in the same way."""

from selenium.webdriver.common.keys import Keys


def named(window, name):
    """Makes somebody the author in a window."""
    field = window.one(".author")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(name, Keys.ENTER)
    window.run("document.activeElement.blur()")


def slide(window, position):
    window.run(
        """const slider = document.querySelector(".timeline input"); slider.value = arguments[0];
      slider.dispatchEvent(new Event("input"))""",
        position,
    )


def insert(window, text):
    """Types as an input method does, which chromedriver's keys cannot for signs beyond the first plane."""
    window.driver.execute_cdp_cmd("Input.insertText", {"text": text})
