// Events: the master list in one piece or by day, and beside it what a list view is told of every change, and performs.
import { button, element } from "/page/elements.js";
import { exactTime } from "/page/format.js";
import { go } from "/page/place.js";
import { start } from "/support/application.js";
import { ListPart } from "/support/list-part.js";
import { visible, wordsOf } from "/support/words.js";
import { PlanView } from "./plan-view.js";
import { deleteBySwiping } from "./swipe.js";

const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const fullDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });
const kinds = {
  list: { list: "events", label: "Events", words: "By day", other: "day" },
  day: { list: "days", label: "Events by day", words: "In one list", other: "list", isSectioned: true },
};

/** A list of events whose + adds one with the time of now, without a form. */
class EventList extends ListPart {
  async add() {
    try {
      await this.app.act("add event");
    } catch (problem) {
      this.app.say(wordsOf(problem));
    }
  }
}

class EventsPart {
  streams = true;

  constructor(app, { list, label, words, other, isSectioned = false }) {
    const input = isSectioned ? { timezone } : {};
    this.part = new EventList(app, {
      list,
      input,
      title: "Events",
      label,
      noun: "event",
      section: (name) => fullDay.format(new Date(name)),
      columns: "168px minmax(0, 1fr)",
      draw: (
        { values },
      ) => [
        element("time", { datetime: values.time }, isSectioned ? clock.format(new Date(values.time)) : exactTime(values.time)),
        visible(values.title) || element("span", { class: "quiet" }, "Event"),
      ],
      open: (row) => this.part.change(row),
      opens: false,
      form: "event",
      adds: "always",
      remove: "delete event",
      fields: [{ name: "title", label: "Title" }, { name: "time", label: "Time", kind: "time" }],
      tools: () => [button(words, () => go({ part: other, object: null }))],
      empty: "No events so far. + adds one with the time of now.",
      shown: (rows) => this.plan.compare(rows),
    });
    this.plan = new PlanView(app, list, input, isSectioned);
    deleteBySwiping(this.part.holder, (row) => this.part.remove(row));
    this.element = element("div", { class: "events part" }, this.part.element, this.plan.element);
  }

  show(place) {
    this.plan.show(place);
    return this.part.show(place);
  }

  hide() {
    this.plan.hide();
    this.part.hide();
  }

  key(event) {
    return this.part.key(event);
  }
}

start({ list: (app) => new EventsPart(app, kinds.list), day: (app) => new EventsPart(app, kinds.day) });
