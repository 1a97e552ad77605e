"""The menus and the cells of the list."""

from selenium.webdriver.common.by import By

from browser import until


def labels(page, name):
    return page.run("return [...document.querySelector(`select[aria-label=${arguments[0]}]`)?.options ?? []].map(({ text }) => text)", name)


def choose(page, name, label):
    """Chooses what a label names, as a person does: with the keys."""
    until(lambda: label in labels(page, name), 10, lambda: labels(page, name))
    option = f'//select[@aria-label="{name}"]/option[normalize-space(.)="{label}"]'
    until(lambda: (page.driver.find_element(By.XPATH, option).click(), True)[1], 10, label)


def cells(page, column):
    return page.texts(f'.canvas .row:not([hidden]) [data-column="{column}"]')
