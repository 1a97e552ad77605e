// Signing in where the server asks for a token: the token becomes a session cookie that no script can read.
import { button, element, field } from "./elements.js";
import { get, send } from "./server.js";

/**
 * Returns who is signed in, whether the page may write, whether the server has tokens, and whether a session chooses its name:
 * `{name, writing, signedIn, hasTokens, choosesName, imports}`; `imports` says
 * whether it may import files.
 */
export async function session() {
  return get("/page/session").catch(() => ({ writing: false }));
}

let dialog = null;

/** The key of the name that was given last. */
const NAME = "daybook.name";

/** Asks for a token until the server takes one. */
export async function askForToken(done) {
  if (dialog?.open) return;
  dialog ??= document.body.appendChild(element("dialog", { "aria-label": "Sign in", class: "sign-in" }));
  const { choosesName } = await session();
  if (dialog.open) return;
  const name = element("input", { name: "name", autocomplete: "nickname", maxlength: 60, value: localStorage.getItem(NAME) ?? "" });
  const token = element("input", { type: "password", name: "token", autocomplete: "current-password", required: true, "aria-describedby": "token-problem" });
  const problem = element("p", { class: "wrong", role: "alert", id: "token-problem" });
  const form = element(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const fields = choosesName ? { token: token.value, name: name.value } : { token: token.value };
        try {
          await send("/login", { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
        } catch (refusal) {
          // A redirect that is not followed has no status: the cookie is set all the same.
          if (refusal.status !== 0) {
            problem.textContent = refusal.status === 429 ? "Too many tries; wait a minute." : "The server does not know this token.";
            token.select();
            return;
          }
        }
        if (choosesName) localStorage.setItem(NAME, name.value);
        dialog.close();
        done();
      },
    },
    field("Token", token, "It is in the file that the server names when it starts."),
    choosesName ? field("Your name", name, "The author of your changes; “local” if you give none.") : "",
    problem,
    element("div", { class: "actions" }, element("button", { class: "primary" }, "Sign in")),
  );
  dialog.replaceChildren(element("h1", {}, "Sign in"), form);
  dialog.showModal();
}

/** Shows who is signed in, and the way out or in. */
export function drawAccount(node, { name, signedIn, hasTokens }) {
  if (!signedIn) {
    if (hasTokens) node.replaceChildren(button("Sign in to write", () => askForToken(() => location.reload()), { class: "plain" }));
    return;
  }
  node.replaceChildren(button(`${name ?? ""} · sign out`.replace(/^ · /, ""), async () => {
    await send("/logout", { method: "POST" }).catch(() => {});
    location.reload();
  }, { class: "plain" }));
}
