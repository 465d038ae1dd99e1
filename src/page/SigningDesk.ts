import { Keypair, Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { hashOf } from "../client/Envelope.ts"
import { type Bundle, mergeBundles, warningCodes, writeBundle } from "../client/hands/Bundle.ts"
import type { SigningRequest } from "../client/SigningRequest.ts"
import { shownJson } from "../domain/ShownText.ts"
import { explain } from "../verify/Explain.ts"
import { saveBundle } from "./BundleFile.ts"
import { button, copy, doing, el, field, goTo, Problem, remove, section, textIn } from "./Dom.ts"
import { linkWith } from "./Fragment.ts"
import { qrCode } from "./QrCode.ts"

/** What is to be signed. */
export interface ToSign {
  readonly envelope: string
  readonly hash: string
  readonly networkPassphrase: string
  /** Who signs, in words. */
  readonly by: string
}

/** The same transaction with signatures; anything else is a problem of the field. */
const sameTransaction = (text: string, { hash, networkPassphrase }: ToSign): string => {
  let decoded
  try {
    decoded = TransactionBuilder.fromXdr(text, networkPassphrase)
  } catch {
    throw new Problem("This is no signed transaction: paste what the wallet gave, in base64.", "signed")
  }
  if (hashOf(decoded) !== hash) throw new Problem("This is another transaction than the one shown above, so it is not taken.", "signed")
  if (decoded.signatures.length === 0) throw new Problem("It is not signed yet.", "signed")
  return text
}

/** A link that wallets open to sign (SEP-7). Without a callback: what was signed comes back by hand, to this page only. */
const walletLink = ({ envelope, networkPassphrase }: ToSign): string =>
  `web+stellar:tx?xdr=${encodeURIComponent(envelope)}&network_passphrase=${encodeURIComponent(networkPassphrase)}`

const bundleLink = (bundle: Bundle): ReadonlyArray<Node> => {
  const text = writeBundle(bundle)
  const link = linkWith("/close", "bundle", text)
  return [
    el(
      "p",
      {},
      "Send this to who signs too. They see what the transaction does, type the destination themselves, and send it back signed. Compare the hash by telephone."
    ),
    ...(link === null ? [] : [button("Copy the link for a co-signer", () => void copy("The link", () => link)())]),
    saveBundle(text)
  ]
}

/** Shows a transaction to be signed elsewhere, and waits until its signed text is pasted. */
export const signedElsewhere = (request: ToSign, heading: string, more: ReadonlyArray<Node> = []): Promise<string> =>
  new Promise((resolve) => {
    const link = walletLink(request)
    const text = el("textarea", { readonly: "", rows: "4", "aria-label": "Transaction to sign" }, request.envelope)
    const form = el(
      "form",
      {},
      ...field("signed", "Signed transaction", el("textarea", { required: "", autocomplete: "off", spellcheck: "false" })),
      el("button", { class: "act" }, "Go on")
    )
    form.addEventListener(
      "submit",
      doing("desk", () => {
        const signed = sameTransaction(textIn("signed"), request)
        remove("desk")
        resolve(signed)
      })
    )
    section(
      "desk",
      heading,
      el("p", {}, `Sign this as ${request.by}, in any wallet or tool, and paste what it gives below.`),
      el("p", { class: "quiet" }, "Hash: ", el("span", { class: "hash" }, request.hash)),
      text,
      button("Copy the transaction", () => void copy("The transaction", () => request.envelope)()),
      el("a", { class: "button", href: link }, "Open it in a wallet"),
      qrCode(link, "Link for a wallet, as a QR code"),
      ...more,
      form
    )
    goTo("desk")
  })

/** Weight that the signatures of an envelope have by one row of who must sign. */
const presentWeight = (envelope: string, networkPassphrase: string, { signers }: SigningRequest["signing"][number]): number => {
  const transaction = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  const signed = signers.filter(({ key }) =>
    key.startsWith("G") && transaction.signatures.some(({ signature }) => Keypair.fromPublicKey(key).verify(transaction.hash(), signature))
  )
  return signed.reduce((sum, { weight }) => sum + weight, 0)
}

/** What is still missing of who must sign for the closing account. */
const missing = (envelope: string, { networkPassphrase, signing }: SigningRequest, source: string) => {
  const row = signing.find(({ account }) => account === source)
  if (row === undefined) return null
  const present = presentWeight(envelope, networkPassphrase, row)
  return present >= row.requiredWeight ? null : { present, required: row.requiredWeight, row }
}

const bundleOf = (request: SigningRequest, envelope: string): Bundle => ({
  version: 1,
  networkPassphrase: request.networkPassphrase,
  planHash: null,
  intent: "",
  hash: request.hash,
  envelope,
  next: ["sign", "submit"],
  signing: request.signing,
  validUntil: "",
  warnings: warningCodes(request.warnings)
})

/** Requests signatures until those of the closing account weigh enough. */
export const withEnough = async (request: SigningRequest, first: string, source: string): Promise<string> => {
  let envelope = first
  for (let short = missing(envelope, request, source); short !== null; short = missing(envelope, request, source)) {
    const others = short.row.signers.map(({ key }) => key).join(", ")
    const next: string = await signedElsewhere(
      { ...request, envelope, by: `one of ${others}` },
      `More signatures are needed: weight ${short.present} of ${short.required}`,
      bundleLink(bundleOf(request, envelope))
    )
    const before = envelope
    envelope = mergeBundles(bundleOf(request, envelope), bundleOf(request, next)).envelope
    if (envelope === before) throw new Error("No new signature was added.")
  }
  return envelope
}

/** What a transaction does, as a list decoded from it. Invisible characters in it stand as `\uXXXX`. */
export const explained = (envelope: string, networkPassphrase: string): HTMLElement =>
  el(
    "ul",
    { class: "plain" },
    ...explain(envelope, networkPassphrase).map((sentence) =>
      el("li", { class: sentence.includes("DANGER") ? "exact warn" : "exact" }, shownJson(sentence))
    )
  )

/** Whether a text is a plain transaction. */
export const plainTransaction = (envelope: string, networkPassphrase: string): Transaction => {
  const decoded = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  if (decoded instanceof Transaction) return decoded
  throw new Problem("This is a fee bump. Sign the transaction inside it.")
}
