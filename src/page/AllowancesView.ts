import { Either, Schema } from "effect"
import { AllowancesResult } from "../domain/Allowance.ts"
import { at, button, copy, doing, el, field, goTo, Problem, remove, section, textIn, textInput } from "./Dom.ts"
import { facts } from "./Facts.ts"

const decode = Schema.decodeUnknownEither(Schema.parseJson(AllowancesResult))
const encode = Schema.encodeSync(AllowancesResult)

type Allowance = Schema.Schema.Encoded<typeof AllowancesResult>["allowances"][number]

/** An amount of base units with its decimals. */
const shownAmount = ({ amount, tokenDecimals, tokenSymbol }: Allowance): string => {
  const padded = amount.padStart(tokenDecimals + 1, "0")
  const whole = padded.slice(0, padded.length - tokenDecimals)
  const fraction = padded.slice(padded.length - tokenDecimals).replace(/0+$/, "")
  return `${whole}${fraction === "" ? "" : `.${fraction}`} ${tokenSymbol}`
}

const row = (allowance: Allowance, index: number): HTMLElement =>
  el(
    "label",
    { class: "choice" },
    el("input", { type: "checkbox", id: `allowance-${index}` }),
    el("b", {}, shownAmount(allowance)),
    el(
      "small",
      {},
      `may be spent by ${allowance.spender}${allowance.spenderProtocol === "unknown" ? "" : ` (${allowance.spenderProtocol})`}`
    ),
    el("small", {}, `Token ${allowance.token}. Live until ledger ${allowance.expirationLedger}.`)
  )

/** Requests that build the revocations, for a shell. The route needs an API key, which never belongs into a page. */
const commands = (owner: string, network: string, chosen: ReadonlyArray<Allowance>): string =>
  chosen.map(({ spender, token }) =>
    `curl -s "$URL/${network}/allowances/revoke" -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '${
      JSON.stringify({ owner, token, spender })
    }'`
  ).join("\n")

const showCommands = (allowances: ReadonlyArray<Allowance>): void => {
  const owner = textIn("owner").toUpperCase()
  if (!/^G[A-Z2-7]{55}$/.test(owner)) throw new Problem("Write the account whose allowances these are.", "owner")
  const chosen = allowances.filter((_, index) => (at(`allowance-${index}`) as HTMLInputElement).checked)
  if (chosen.length === 0) throw new Problem("Choose what is to be revoked.")
  const network = (document.getElementById("network") as HTMLSelectElement).value
  const text = commands(owner, network, chosen)
  section(
    "requests",
    chosen.length === 1 ? "Request for one revocation" : `Requests for ${chosen.length} revocations`,
    el(
      "p",
      {},
      "Each builds one transaction, which the account signs and submits. Run them where your API key is: it never belongs into a page."
    ),
    el("textarea", { readonly: "", rows: "8", "aria-label": "Requests" }, text),
    button("Copy the requests", () => void copy("The text", () => text)(), { class: "act" })
  )
  goTo("requests")
}

const draw = (text: string): void => {
  const read = decode(text)
  if (Either.isLeft(read)) {
    throw new Problem("These are no allowances: paste the whole answer of GET /{network}/allowances/{address}.", "allowances-text")
  }
  const { allowances, coverage, warnings } = encode(read.right)
  remove("requests")
  const form = el(
    "form",
    {},
    ...allowances.map(row),
    ...field(
      "owner",
      "Account that gave them (starts with G)",
      textInput({ class: "mono", maxlength: "56", autocapitalize: "characters" })
    ),
    ...field("network", "Network", el("select", {}, ...facts.networks.map(({ name }) => el("option", { value: name }, name)))),
    button("Choose all", () => allowances.forEach((_, index) => ((at(`allowance-${index}`) as HTMLInputElement).checked = true))),
    el("button", { class: "act" }, "Prepare the revocations")
  )
  form.addEventListener("submit", doing("allowances", () => showCommands(allowances)))
  section(
    "allowances",
    `Allowances: ${allowances.length}`,
    allowances.length === 0 ? null : form,
    ...warnings.map(({ message }) => el("p", { class: "note" }, message)),
    el("p", { class: "quiet" }, `Searched: ${coverage.map(({ source, status }) => `${source} ${status}`).join(", ")}.`)
  )
  goTo("allowances")
}

/** The page that draws what others may spend. It asks the service nothing. */
export const allowancesView = (): void => {
  at("main").append(
    el(
      "p",
      { id: "intro" },
      "Shows what others may spend of an account's tokens, from an answer of the API that you paste. It stays in this page."
    )
  )
  const form = el(
    "form",
    {},
    ...field("allowances-text", "Allowances, as JSON", el("textarea", { required: "", spellcheck: "false" })),
    el("button", { class: "act" }, "Show them")
  )
  form.addEventListener("submit", doing("paste", () => draw(textIn("allowances-text"))))
  section("paste", "Paste allowances", form)
}
