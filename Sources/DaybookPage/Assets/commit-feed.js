// Commits as they come, for the parts that show no request.
import { address, send } from "./server.js";
import { keepConnected, readEvents } from "./stream.js";

/**
 * Follows the commits after a position, `from`, with the filters of the journal.
 *
 * Handlers: `commit(line)`, `position(number)`, `connection(step)` as in `follow`. Returns an object with `close()`.
 */
export function followCommits(filters, handlers) {
  return followStream("/api/commits/stream", filters, handlers, (event, value) => {
    if (event === "commit") handlers.commit?.(value);
  });
}

/** Follows the differences of a tree; handlers: `state(tree)`, `difference(difference)`, and those of `followCommits`. */
export function followTree(parameters, handlers) {
  return followStream("/api/tree/stream", parameters, handlers, (event, value) => {
    if (event === "state") handlers.state?.(value);
    else if (event === "difference") handlers.difference?.(value);
  });
}

function followStream(path, { from, ...parameters }, handlers, take) {
  const abort = new AbortController();
  let cursor = from ? String(from) : null;
  keepConnected(async (connected) => {
    const stop = new AbortController();
    abort.signal.addEventListener("abort", () => stop.abort());
    const headers = cursor ? { "Last-Event-ID": cursor } : {};
    const response = await send(address(path, parameters), { signal: stop.signal, headers });
    connected();
    await readEvents(response, ({ event, data, id }) => {
      if (abort.signal.aborted) return;
      const value = JSON.parse(data);
      if (event === "position") handlers.position?.(value.position);
      else take(event, value);
      if (id) cursor = id;
    }, stop).finally(() => stop.abort());
  }, abort.signal, (step) => handlers.connection?.(step));
  return { close: () => abort.abort() };
}
