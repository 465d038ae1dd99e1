/** What the documentation page does: it sends the forms' requests, and shows answers as text, never as markup. */
export const docsScript = `
const token = document.getElementById("token");
const seed = /(^|[^A-Z2-7])S[A-Z2-7]{55}([^A-Z2-7]|$)/;

const valuesOf = (form, place) => [...form.querySelectorAll("[data-in=" + place + "]")].filter((field) => field.value !== "");

const requestOf = (form) => {
  let path = form.dataset.path;
  for (const { name, value } of valuesOf(form, "path")) path = path.replace("{" + name + "}", encodeURIComponent(value));
  const query = new URLSearchParams(valuesOf(form, "query").map(({ name, value }) => [name, value]));
  const [body] = valuesOf(form, "body");
  const headers = {};
  if (token.value !== "") headers.authorization = "Bearer " + token.value;
  if (body !== undefined) headers["content-type"] = "application/json";
  for (const { name, value } of valuesOf(form, "header")) headers[name] = value;
  const address = query.size === 0 ? path : path + "?" + query;
  return [address, { method: form.dataset.method, headers, ...(body === undefined ? {} : { body: body.value }) }];
};

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const problemOf = (form) => {
  if ([token, ...form.querySelectorAll("[data-in]")].some(({ value }) => seed.test(value))) {
    return "This looks like a secret seed. It was not sent. Treat a seed that you typed into a web page as exposed.";
  }
  const [body] = valuesOf(form, "body");
  if (body === undefined) return null;
  try {
    JSON.parse(body.value);
    return null;
  } catch (problem) {
    return "The body is not JSON: " + problem.message;
  }
};

const send = async (form) => {
  const [problem, status, answer] = [form.querySelector(".problem"), form.querySelector("[role=status]"), form.querySelector("pre")];
  problem.textContent = problemOf(form) ?? "";
  answer.hidden = true;
  status.textContent = "";
  if (problem.textContent !== "") return;
  status.textContent = "Waiting for the answer.";
  try {
    const [address, request] = requestOf(form);
    const response = await fetch(address, request);
    answer.textContent = pretty(await response.text());
    answer.hidden = false;
    status.textContent = request.method + " " + address + ": status " + response.status;
  } catch {
    status.textContent = "";
    problem.textContent = "The service did not answer. Check your connection, then send again.";
  }
};

for (const form of document.forms) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    await send(form);
    button.disabled = false;
    button.focus();
  });
}

/* One choice of the network for all forms. */
const selects = [...document.querySelectorAll("select[name=network]")];
for (const select of selects) {
  select.addEventListener("change", () => { for (const other of selects) other.value = select.value; });
}
`
