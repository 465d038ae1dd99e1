/** What the page does. The session's token stays in the page's memory; texts go into the page as texts, never as markup. */
export const script = `
"use strict";
const at = (id) => document.getElementById(id);
let token = null;

const say = (text) => { at("told").textContent = text; };
const complain = (text) => { at("problem").textContent = text; };
const when = (iso) => iso === null ? "never" : new Date(iso).toLocaleString();

const call = async (method, path, body) => {
  const headers = {};
  if (token !== null) headers.authorization = "Bearer " + token;
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Error("The service cannot be reached. Try again.");
  }
  const told = await answer.json();
  if (answer.ok) return told;
  if (answer.status === 401 && token !== null) {
    token = null;
    at("mine").hidden = true;
    throw new Error("The session is over. Ask for a new challenge.");
  }
  throw new Error(told.error.message);
};

const doing = (element, work) => async (event) => {
  event.preventDefault();
  const buttons = element.querySelectorAll("button");
  buttons.forEach((button) => { button.disabled = true; });
  complain("");
  say("Working...");
  try {
    await work();
  } catch (problem) {
    say("");
    complain(problem.message);
  } finally {
    buttons.forEach((button) => { button.disabled = false; });
  }
};

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

const withoutSeed = (text) => {
  if (/(^|[^A-Z0-9])S[A-Z2-7]{55}([^A-Z0-9]|$)/.test(text)) throw new Error("This looks like a secret seed. It was not sent. Never paste it anywhere.");
  return text.trim();
};

const row = (list, name, text) => {
  const term = document.createElement("dt");
  const value = document.createElement("dd");
  term.textContent = name;
  value.textContent = text;
  list.append(term, value);
};

const button = (item, text, name, work) => {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.setAttribute("aria-label", text + " key " + name);
  if (text === "Revoke") made.className = "end";
  made.addEventListener("click", doing(item, work));
  item.append(made);
};

const shown = (record) => {
  const item = document.createElement("li");
  const facts = document.createElement("dl");
  row(facts, "Id", record.id);
  row(facts, "Created", when(record.createdAt));
  row(facts, "Last used", when(record.lastUsedAt));
  row(facts, "State", record.revokedAt === null ? "live" : "revoked " + when(record.revokedAt));
  item.append(facts);
  if (record.revokedAt !== null) return item;
  button(item, "Rotate", record.id, async () => {
    if (!confirm("The key ends at once and a new one takes its place. Go on?")) return say("");
    issued(await call("POST", "/keys/mine/" + encodeURIComponent(record.id) + "/rotate"));
    await refresh();
  });
  button(item, "Revoke", record.id, async () => {
    if (!confirm("The key ends at once. Go on?")) return say("");
    await call("POST", "/keys/mine/" + encodeURIComponent(record.id) + "/revoke");
    await refresh();
    say("The key is revoked.");
  });
  return item;
};

const refresh = async () => {
  const { keys } = await call("GET", "/keys/mine");
  at("list").replaceChildren(...keys.map(shown));
  say(keys.length === 0 ? "You have no keys yet." : "");
};

const issued = ({ key }) => {
  at("key").value = key;
  at("fresh").hidden = false;
  at("key").focus();
  at("key").select();
};

at("ask").addEventListener("submit", doing(at("ask"), async () => {
  token = null;
  at("mine").hidden = true;
  const address = withoutSeed(at("address").value);
  const challenge = await call("POST", "/keys/challenge", { network: at("network").value, address });
  at("challenge").value = challenge.transaction;
  at("passphrase").textContent = challenge.networkPassphrase;
  at("before").textContent = when(challenge.expiresAt);
  at("signed").value = "";
  say("");
  show("signing", "h-sign");
}));

at("open").addEventListener("submit", doing(at("open"), async () => {
  const session = await call("POST", "/keys/session", { network: at("network").value, transaction: withoutSeed(at("signed").value) });
  token = session.token;
  at("ends").textContent = when(session.expiresAt);
  at("signing").hidden = true;
  show("mine", "h-mine");
  await refresh();
}));

at("create").addEventListener("click", doing(at("mine"), async () => {
  issued(await call("POST", "/keys/mine"));
  await refresh();
}));

at("copy-challenge").addEventListener("click", copy("challenge", "The challenge"));
at("copy-key").addEventListener("click", copy("key", "The key"));
at("hide-key").addEventListener("click", () => {
  at("key").value = "";
  at("fresh").hidden = true;
  at("create").focus();
});
`
