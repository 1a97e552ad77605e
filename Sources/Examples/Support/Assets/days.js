// Days of a person's calendar, such as the day that something is due.
//
// A day is stored as its beginning in UTC: 3 February is 2026-02-03T00:00:00Z for everybody. So it is the same day wherever it is
// read, and days are in their order in every list. Which day it is today depends on where the person is.

const words = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });

/** Returns the day of a stored value, as 2026-02-03. */
export const dayOf = (value) => value.slice(0, 10);

/** Returns the day of a stored value in words. */
export const dayWords = (value) => words.format(new Date(`${dayOf(value)}T00:00:00Z`));

/** Returns the person's day at a time, as 2026-02-03. */
export function today(now = new Date()) {
  return [String(now.getFullYear()).padStart(4, "0"), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/** A timer waits no longer than this, because a computer that sleeps does not count. */
const mostWaitInMilliseconds = 60_000;

/** Calls a function soon after each midnight of the person. */
export function atEachNewDay(act) {
  let last = today();
  setInterval(() => {
    if (today() === last) return;
    last = today();
    act();
  }, mostWaitInMilliseconds);
}
