// Kitchen tables: a converter of weights and volumes, and the temperatures of ovens.
import { choice, element } from "/page/elements.js";
import { go } from "/page/place.js";

/** Grams of a weight, millilitres of a volume. */
const units = {
  Weight: { grams: 1, kilograms: 1000, ounces: 28.349523125, pounds: 453.59237 },
  Volume: { millilitres: 1, litres: 1000, teaspoons: 4.92892159375, tablespoons: 14.78676478125, "fluid ounces": 29.5735295625, cups: 236.5882365, pints: 473.176473 },
};
const kindOf = (unit) => Object.keys(units).find((kind) => unit in units[kind]);
const rounded = (value) => String(Number(value.toPrecision(4)));

/** The gas marks with their temperatures in degrees Celsius. */
const ovens = [["¼", 110], ["½", 120], [1, 140], [2, 150], [3, 160], [4, 180], [5, 190], [6, 200], [7, 220], [8, 230], [9, 240]];
const words = (celsius) => (celsius < 140 ? "very cool" : celsius < 160 ? "cool" : celsius < 190 ? "moderate" : celsius < 220 ? "hot" : "very hot");

/** Returns an amount in another unit of the same kind. */
export const converted = (amount, from, to) => (amount * units[kindOf(from)][from]) / units[kindOf(to)][to];

export class KitchenPart {
  constructor() {
    const options = Object.values(units).flatMap((kind) => Object.keys(kind)).map((unit) => [unit, unit]);
    this.amount = element("input", { type: "number", value: 100, min: 0, step: "any", "aria-label": "Amount", oninput: () => this.#convert() });
    this.unit = choice(options, "grams", () => this.#convert(), { "aria-label": "Unit" });
    this.rows = element("tbody");
    const temperatures = ovens.map(([mark, celsius]) => element("tr", {}, [celsius, Math.round((celsius * 9) / 5 + 32), mark, words(celsius)].map((value) => element("td", {}, String(value)))));
    const head = (names) => element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name))));
    const back = element("button", { type: "button", class: "plain back", "aria-label": "Back", onclick: () => go({ part: "list" }) }, "‹");
    const bar = element("div", { class: "bar" }, back, element("h1", {}, "Kitchen tables"));
    const converter = element("section", { class: "converter" }, element("h2", {}, "Units"), element("div", { class: "adding" }, this.amount, this.unit), element("table", {}, this.rows));
    const table = element("table", {}, head(["°C", "°F", "Gas mark", "Heat"]), element("tbody", {}, temperatures));
    const oven = element("section", { class: "temperatures" }, element("h2", {}, "Oven"), table);
    this.element = element("section", { class: "part scroll kitchen", "aria-label": "Kitchen tables" }, bar, element("div", { class: "columns" }, converter, oven));
    this.#convert();
  }

  #convert() {
    const unit = this.unit.value;
    const others = Object.keys(units[kindOf(unit)]).filter((other) => other !== unit);
    this.rows.replaceChildren(...others.map((other) => element("tr", { "data-unit": other }, element("td", {}, rounded(converted(Number(this.amount.value), unit, other))), element("td", {}, other))));
  }

  show() {}

  key(event) {
    if (event.key === "Escape") go({ part: "list" });
    return event.key === "Escape";
  }
}
