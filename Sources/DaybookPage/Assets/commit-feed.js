// Commits as they come, for the parts that show no request.
import { parse } from "./json.js";
import { address, send } from "./server.js";
import { keepConnected, readEvents } from "./stream.js";

/**
 * Follows the commits after a position, `from`, with the filters of the journal.
 *
 * Handlers: `commit(line)`, `position(number)`, `connection(step)` as in `follow`. Returns an object with `close()`.
 */
export function followCommits({ from, ...filters }, handlers) {
  const abort = new AbortController();
  let cursor = from ? String(from) : null;
  keepConnected(async (connected) => {
    const stop = new AbortController();
    abort.signal.addEventListener("abort", () => stop.abort());
    const headers = cursor ? { "Last-Event-ID": cursor } : {};
    const response = await send(address("/api/commits/stream", filters), { signal: stop.signal, headers });
    connected();
    await readEvents(response, ({ event, data, id }) => {
      if (abort.signal.aborted) return;
      const value = parse(data);
      if (event === "position") handlers.position?.(value.position);
      else if (event === "commit") handlers.commit?.(value);
      if (id) cursor = id;
    }, stop).finally(() => stop.abort());
  }, abort.signal, (step) => handlers.connection?.(step));
  return { close: () => abort.abort() };
}
