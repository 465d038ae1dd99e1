import { calls } from "./Calls.ts"

/** What the page does. Texts go into the page as texts, never as markup. A key that is not saved yet is replaced only after a question. */
export const script = `${calls}
const show = (section, heading) => { at(section).hidden = false; at(heading).focus(); };

const copy = (id, what) => async () => {
  at(id).select();
  try {
    await navigator.clipboard.writeText(at(id).value);
    say(what + " is copied.");
  } catch {
    say(what + " is selected: copy it with your keyboard or menu.");
  }
};

const unsaved = () => !at("fresh").hidden;
const mayReplace = () => !unsaved() ||
  confirm("You have not said that you saved your new key. It cannot be shown again. Make another key, and hide this one?");

const issued = ({ key }) => {
  at("key").value = key;
  at("fresh").hidden = false;
  at("key").focus();
  at("key").select();
};

/* A key may have been made although no answer arrived. */
const make = async (path, body) => {
  try {
    issued(await call("POST", path, body));
  } catch (problem) {
    if (!problem.mayBeDone) throw problem;
    await refresh().catch(() => {});
    throw new Problem(problem.message + " If a key was made nevertheless, it is in the list: revoke it.");
  }
  await refresh();
};

const row = (list, name, text, mono) => {
  const term = document.createElement("dt");
  const value = document.createElement("dd");
  term.textContent = name;
  value.textContent = text;
  if (mono) value.className = "mono";
  list.append(term, value);
};

const button = (item, text, name, work) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", text + " " + name);
  if (text === "Revoke") made.className = "end";
  made.addEventListener("click", doing(at("mine"), "list", work));
  item.append(made);
};

const stateOf = (record, replaced) => {
  if (record.revokedAt !== null) return "revoked " + when(record.revokedAt);
  if (record.expiresAt === null) return "live";
  if (Date.parse(record.expiresAt) <= Date.now()) return "expired " + when(record.expiresAt);
  return (replaced ? "rotated, works until " : "live, expires ") + when(record.expiresAt);
};

const isLive = ({ expiresAt, revokedAt }) => revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

const shown = (record, replaced) => {
  const item = document.createElement("li");
  const title = document.createElement("h4");
  const facts = document.createElement("dl");
  const ending = record.last4 === null ? record.id : "ending in " + record.last4;
  const name = "key " + (record.label === null ? ending : record.label + " (" + ending + ")");
  title.textContent = record.label ?? "Key without a label";
  row(facts, "Key", record.last4 === null ? "made before its last characters were stored" : "lk_..." + record.last4, record.last4 !== null);
  row(facts, "State", stateOf(record, replaced));
  row(facts, "Last used", when(record.lastUsedAt));
  row(facts, "Created", when(record.createdAt));
  row(facts, "Id", record.id, true);
  item.append(title, facts);
  if (!isLive(record)) {
    item.className = "quiet";
    return item;
  }
  const path = "/keys/mine/" + encodeURIComponent(record.id);
  if (!replaced) {
    button(item, "Rotate", name, async () => {
      const grace = at("grace");
      const then = grace.options[grace.selectedIndex].textContent;
      if (!mayReplace() || !confirm("A new key takes the place of " + name + ", which " + then + ". Go on?")) return say("");
      await make(path + "/rotate", { graceSeconds: Number(grace.value) });
    });
  }
  button(item, "Revoke", name, async () => {
    if (!confirm("It ends at once: " + name + ". Go on?")) return say("");
    await call("POST", path + "/revoke");
    await refresh();
    say("The key is revoked.");
    at("h-mine").focus();
  });
  return item;
};

const refresh = async () => {
  const { keys } = await call("GET", "/keys/mine");
  const replaced = new Set(keys.map(({ rotatedFrom }) => rotatedFrom));
  const live = keys.filter(isLive);
  const others = keys.filter((record) => !isLive(record));
  at("list").replaceChildren(...[...live, ...others].map((record) => shown(record, replaced.has(record.id))));
  say(keys.length === 0 ? "You have no keys yet." : "");
};

at("ask").addEventListener("submit", doing(at("ask"), "ask", async () => {
  token = null;
  at("mine").hidden = true;
  at("signing").hidden = true;
  const address = withoutSeed("address");
  const challenge = await call("POST", "/keys/challenge", { network: at("network").value, address });
  at("challenge").value = challenge.transaction;
  at("passphrase").textContent = challenge.networkPassphrase;
  at("before").textContent = when(challenge.expiresAt);
  at("signed").value = "";
  say("");
  show("signing", "h-sign");
}));

at("open").addEventListener("submit", doing(at("open"), "open", async () => {
  const session = await call("POST", "/keys/session", { network: at("network").value, transaction: withoutSeed("signed") });
  token = session.token;
  at("ends").textContent = when(session.expiresAt);
  at("signing").hidden = true;
  show("mine", "h-mine");
  await refresh();
}));

at("make").addEventListener("submit", doing(at("mine"), "make", async () => {
  if (!mayReplace()) return say("");
  const label = at("label").value.trim();
  const days = Number(at("expiresAt").value);
  await make("/keys/mine", {
    ...(label === "" ? {} : { label }),
    ...(days === 0 ? {} : { expiresAt: new Date(Date.now() + days * 86400000).toISOString() })
  });
  at("label").value = "";
}));

at("refresh").addEventListener("click", doing(at("mine"), "list", refresh));
at("copy-challenge").addEventListener("click", copy("challenge", "The challenge"));
at("copy-key").addEventListener("click", copy("key", "The key"));
at("hide-key").addEventListener("click", () => {
  at("key").value = "";
  at("fresh").hidden = true;
  say("");
  if (!at("mine").hidden) at("create").focus();
});
addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
`
