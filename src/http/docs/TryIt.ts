import type { Network } from "../../domain/Network.ts"
import { escaped, line } from "../page/Html.ts"

/** A value that a reader fills in. */
export interface TryParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
}

/** A route that a reader can call from the page. */
export interface TryRoute {
  readonly id: string
  readonly title: string
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<TryParameter>
  /** The body as text; null where the route takes none. */
  readonly body: string | null
  readonly isKeyed: boolean
}

/** The network that is selected first: the one where a mistake costs nothing, where it is enabled. */
export const firstNetwork = (networks: ReadonlyArray<Network>): Network | undefined =>
  networks.includes("testnet") ? "testnet" : networks[0]

const optionsOf = (networks: ReadonlyArray<Network>): string =>
  networks.map((network) => `<option${network === firstNetwork(networks) ? " selected" : ""}>${network}</option>`).join("")

const field = (id: string, { description, in: place, name, required }: TryParameter, networks: ReadonlyArray<Network>): string => {
  const own = `${id}-${name}`
  const label = `<label for="${own}">${escaped(name)}${required ? "" : " (optional)"}</label>`
  const facts = `id="${own}" name="${escaped(name)}" data-in="${place}"`
  if (name === "network") return `${label}<select ${facts}>${optionsOf(networks)}</select>`
  return `${label}<input ${facts} aria-describedby="${own}-hint"${required ? " required" : ""} autocomplete="off" spellcheck="false">` +
    `<p class="quiet" id="${own}-hint">${line(description)}</p>`
}

const bodyField = (id: string, body: string): string =>
  `<label for="${id}-body">Body</label><textarea id="${id}-body" data-in="body" spellcheck="false">${escaped(body)}</textarea>`

/** A form that sends a request to the route and shows the answer. Without scripts it is not shown. */
export const tryIt = (
  { body, id, isKeyed, method, parameters, path, title }: TryRoute,
  networks: ReadonlyArray<Network>
): string =>
  `<details class="try"><summary>Try it<span class="quiet">: ${escaped(title)}</span></summary>` +
  `<form data-id="${id}" data-method="${method}" data-path="${escaped(path)}">` +
  (isKeyed ? "<p class=\"quiet\">Sends the <a href=\"#token\">token</a> that you typed in above.</p>" : "") +
  parameters.map((one) => field(id, one, networks)).join("") +
  (body === null ? "" : bodyField(id, body)) +
  `<button>Send</button><p class="problem" role="alert"></p><p role="status"></p>` +
  `<pre hidden tabindex="0" role="region" aria-label="Answer of ${escaped(title)}"></pre></form></details>`

/** Where the reader types in the token that the forms send. */
export const tokenField = [
  "<section aria-labelledby=\"token-title\"><h2 id=\"token-title\">Try it on this page</h2>",
  "<p>Each route below has a form that sends a request to this service. Most routes need an API key: get one on the page <a href=\"/keys\">/keys</a>.</p>",
  "<noscript><p>The forms need JavaScript. Everything else on this page works without it.</p></noscript>",
  "<label for=\"token\">API key or other token</label>",
  "<input id=\"token\" type=\"password\" autocomplete=\"off\" spellcheck=\"false\" aria-describedby=\"token-hint\">",
  "<p class=\"quiet\" id=\"token-hint\">It stays on this page, and is gone when you leave it. Never type a secret seed (it starts with S) here.</p>",
  "</section>"
].join("\n")
