// The names of the objects of a short list, by identity, for rows that name what they are linked to.
import { rowsOf } from "./keyed-rows.js";
import { LiveList } from "./live-list.js";
import { visible } from "./words.js";

export class Names {
  #list = null;
  #names = new Map();

  /** `changed` is called when a name has come, or is another one. */
  constructor(app, list, changed) {
    Object.assign(this, { app, list, changed });
  }

  name(id) {
    return this.#names.get(id);
  }

  async show({ at }) {
    this.#list ??= new LiveList(await this.app.request(this.list), { show: (list) => {
      this.#names = new Map(rowsOf(list).map((row) => [row.id, visible(row.values.name)]));
      this.changed();
    }, head: (head) => this.app.moved(head), connection: (step) => this.app.connection(step) });
    await this.#list.goTo(at);
  }

  hide() {
    this.#list?.close();
    this.#list = null;
  }
}
