// Commits as they come, for the parts that show no request.
import { parse } from "./json.js";
import { address, send } from "./server.js";
import { keepConnected, readStream } from "./stream.js";

/**
 * Follows the commits after a position, `from`, with the filters of the journal.
 *
 * Handlers: `commit(line)`, `position(number)`, `connection(step)` as in `follow`. Returns an object with `close()`.
 */
export function followCommits({ from, ...filters }, handlers) {
  const abort = new AbortController();
  let cursor = from ? String(from) : null;
  const take = ({ event, data, id }) => {
    const value = parse(data);
    if (event === "position") handlers.position?.(value.position);
    else if (event === "commit") handlers.commit?.(value);
    if (id) cursor = id;
  };
  const open = (signal) => send(address("/api/commits/stream", filters), { signal, headers: cursor ? { "Last-Event-ID": cursor } : {} });
  keepConnected((connected) => readStream(open, abort.signal, connected, take), abort.signal, (step) => handlers.connection?.(step));
  return { close: () => abort.abort() };
}
