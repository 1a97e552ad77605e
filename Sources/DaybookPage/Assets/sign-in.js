// Signing in where the server asks for a token: the token becomes a session cookie that no script can read.
import { button, element, field } from "./elements.js";
import { get, send } from "./server.js";

/** Returns who is signed in and whether this server writes: `{name, writing, signedIn}`. */
export async function session() {
  return get("/page/session").catch(() => ({ writing: false }));
}

let dialog = null;

/** Asks for a token until the server takes one. */
export function askForToken(done) {
  if (dialog?.open) return;
  const token = element("input", { type: "password", name: "token", autocomplete: "current-password", required: true, "aria-describedby": "token-problem" });
  const problem = element("p", { class: "wrong", role: "alert", id: "token-problem" });
  const form = element("form", {
    onsubmit: async (event) => {
      event.preventDefault();
      try {
        await send("/login", { method: "POST", body: new URLSearchParams({ token: token.value }), redirect: "manual" });
      } catch (refusal) {
        // A redirect that is not followed has no status: the cookie is set all the same.
        if (refusal.status !== 0) {
          problem.textContent = refusal.status === 429 ? "Too many tries; wait a minute." : "The server does not know this token.";
          token.select();
          return;
        }
      }
      dialog.close();
      done();
    },
  }, field("Token", token, "It is in the file that the server names when it starts."), problem,
  element("div", { class: "actions" }, element("button", { class: "primary" }, "Sign in")));
  dialog ??= document.body.appendChild(element("dialog", { "aria-label": "Sign in", class: "sign-in" }));
  dialog.replaceChildren(element("h1", {}, "Sign in"), form);
  dialog.showModal();
}

/** Shows who is signed in, and the way out. */
export function drawAccount(node, { name, signedIn }) {
  if (!signedIn) return;
  node.replaceChildren(button(`${name ?? ""} · sign out`.replace(/^ · /, ""), async () => {
    await send("/logout", { method: "POST" }).catch(() => {});
    location.reload();
  }, { class: "plain" }));
}
