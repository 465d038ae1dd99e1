/** How the page talks to the service, and where it shows what went wrong. The session's token stays in the page's memory. */
export const calls = `
"use strict";
const at = (id) => document.getElementById(id);
let token = null;

const say = (text) => { at("status").textContent = text; };

class Problem extends Error {
  constructor(message, { field, mayBeDone = false } = {}) {
    super(message);
    this.field = field;
    this.mayBeDone = mayBeDone;
  }
}

const fields = ["network", "address", "signed", "label", "expiresAt"];
const fieldOfCode = { invalid_address: "address", network_unavailable: "network", invalid_transaction: "signed", unauthorized: "signed",
  bad_signatures: "signed" };

const complain = (field, text) => {
  const place = at(field + "-problem");
  place.textContent = text;
  place.scrollIntoView({ block: "nearest" });
  if (!fields.includes(field)) return;
  at(field).setAttribute("aria-invalid", "true");
  at(field).focus();
};

const clear = (element) => {
  element.querySelectorAll(".problem").forEach((place) => { place.textContent = ""; });
  element.querySelectorAll("[aria-invalid]").forEach((field) => { field.removeAttribute("aria-invalid"); });
};

const when = (iso) => iso === null ? "never" : new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });

const parsed = async (answer) => {
  try {
    return JSON.parse(await answer.text());
  } catch {
    return null;
  }
};

/* What a proxy or a network in between answered in place of the service. */
const unreadable = (status) => {
  if (status === 429) return "Too many requests. Wait a minute, then try again.";
  if (status >= 500) return "The service cannot be reached now (status " + status + "). Wait a minute, then try again.";
  return "Something between this page and the service answered in its place (status " + status + "). Reload the page, then try again.";
};

const refusal = ({ code, details, message }) => {
  const issue = code === "invalid_body" ? details.issues[0] : undefined;
  if (issue !== undefined && fields.includes(issue.path)) return new Problem("This " + issue.message + ".", { field: issue.path });
  return new Problem(message, { field: fieldOfCode[code] });
};

const call = async (method, path, body) => {
  const headers = {};
  if (token !== null) headers.authorization = "Bearer " + token;
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Problem("The service cannot be reached. Check your connection, then try again.", { mayBeDone: true });
  }
  const received = await parsed(answer);
  if (received === null || (!answer.ok && received.error === undefined)) {
    throw new Problem(unreadable(answer.status), { mayBeDone: answer.ok || answer.status >= 500 });
  }
  if (answer.ok) return received;
  if (answer.status === 401 && token !== null) {
    token = null;
    at("mine").hidden = true;
    throw new Problem("The session is over. Get a new challenge.", { field: "ask" });
  }
  throw refusal(received.error);
};

/* Runs work for a part of the page. A problem without a field of its own is shown at the place named. */
const doing = (element, place, work) => async (event) => {
  event.preventDefault();
  const buttons = element.querySelectorAll("button");
  buttons.forEach((button) => { button.disabled = true; });
  clear(document);
  say("Working...");
  let problem = null;
  try {
    await work();
  } catch (thrown) {
    problem = thrown;
  } finally {
    buttons.forEach((button) => { button.disabled = false; });
  }
  if (problem === null) return;
  say("");
  complain(problem.field ?? place, problem.message);
};

const withoutSeed = (field) => {
  const text = at(field).value;
  if (/(^|[^A-Z0-9])S[A-Z2-7]{55}([^A-Z0-9]|$)/.test(text)) {
    throw new Problem("This looks like a secret seed. It was not sent. Never paste it anywhere.", { field });
  }
  return text.trim();
};
`
