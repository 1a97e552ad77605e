// Server-sent events read with `fetch`, which can send a token; a browser's `EventSource` cannot.

/** Splits the text of a stream into events; the pieces of text may end anywhere. */
export class EventParser {
  #rest = "";
  #event = {};
  #isAfterReturn = false;

  /** Returns the events that a piece of text completes: `{event, data, id}`, `id` only where one was sent. */
  push(text) {
    // A line may end in \n, \r or \r\n, and the two halves of the last may come in two pieces.
    if (this.#isAfterReturn && text.startsWith("\n")) text = text.slice(1);
    if (text !== "") this.#isAfterReturn = text.endsWith("\r");
    const lines = (this.#rest + text).split(/\r\n|\n|\r/);
    this.#rest = lines.pop();
    const events = [];
    for (const line of lines) {
      if (line === "") {
        const { event = "message", data, id } = this.#event;
        this.#event = {};
        if (data !== undefined) events.push({ event, data: data.join("\n"), id });
      } else {
        this.#take(line);
      }
    }
    return events;
  }

  #take(line) {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") (this.#event.data ??= []).push(value);
    else if (field === "event") this.#event.event = value;
    else if (field === "id" && !value.includes("\0")) this.#event.id = value;
  }
}

/** A stream sends a comment every 15 s; one that is silent for longer than this is dead. */
const silenceInMilliseconds = 45_000;

/** Reads an answer to its end and calls `take` with each event; throws when the connection breaks or is silent. */
async function readEvents(response, take, abort) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = new EventParser();
  // A page that was left is kept for the way back, and its stream would hold one of the few connections to the host. When
  // the page is shown again, the stream is opened again as after any failure.
  const leave = () => abort.abort(new Error("The page was left."));
  addEventListener("pagehide", leave);
  try {
    for (;;) {
      const timer = setTimeout(() => abort.abort(new Error("The stream is silent.")), silenceInMilliseconds);
      const { value, done } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      for (const event of parser.push(value)) await take(event);
    }
  } finally {
    removeEventListener("pagehide", leave);
  }
}

/**
 * Reads the stream that `open(signal)` requests, until it ends or `signal` is aborted; `connected` is called when it has begun, and
 * `take` with each event.
 */
export async function readStream(open, signal, connected, take) {
  const stop = new AbortController();
  signal.addEventListener("abort", () => stop.abort(), { signal: stop.signal });
  try {
    const response = await open(stop.signal);
    connected();
    await readEvents(response, (event) => (signal.aborted ? null : take(event)), stop);
  } finally {
    stop.abort();
  }
}

/**
 * Calls `connect` again and again until it says that it is done or `signal` is aborted.
 *
 * After a failure it waits 1 to 30 s, twice as long each time; `connect` calls its argument when it is connected, which
 * sets that back. Only a refusal (401, 403) is passed on. `report` is told of each step: `{state: "live" | "lost" |
 * "refused", retryAt, error}`.
 */
export async function keepConnected(connect, signal, report) {
  let wait = 1;
  while (!signal.aborted) {
    let error;
    try {
      await connect(() => {
        wait = 1;
        report({ state: "live" });
      });
    } catch (caught) {
      error = caught;
    }
    if (signal.aborted) return;
    if (error?.status === 401 || error?.status === 403) {
      report({ state: "refused", error });
      return;
    }
    report({ state: "lost", error, retryAt: Date.now() + wait * 1000 });
    await pause(wait * 1000, signal);
    wait = Math.min(30, wait * 2);
  }
}

/** Resolves after a time, or at once when the signal is aborted or the browser is online again. */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    addEventListener("online", done);
  });
}
