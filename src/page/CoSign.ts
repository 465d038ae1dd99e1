import { Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { type Bundle, readBundle, writeBundle } from "../client/hands/Bundle.ts"
import { explain } from "../verify/Explain.ts"
import { bundleFile, saveBundle } from "./BundleFile.ts"
import { button, copy, doing, el, field, goTo, Problem, remove, section, textIn, textInput } from "./Dom.ts"
import { facts, type ServedNetwork } from "./Facts.ts"
import { linkWith } from "./Fragment.ts"
import { explained, plainTransaction, signedElsewhere } from "./SigningDesk.ts"
import type { WalletModule } from "./wallets/WalletModule.ts"
import { presentWallets } from "./wallets/Wallets.ts"

/** A bundle's network, if this service serves it. */
const networkOf = ({ networkPassphrase }: Bundle): ServedNetwork => {
  const found = facts.networks.find(({ passphrase }) => passphrase === networkPassphrase)
  if (found === undefined) throw new Problem("It is for a network that this service does not serve.")
  return found
}

const opened = (text: string): Bundle => {
  try {
    return readBundle(text)
  } catch (problem) {
    throw new Problem(problem instanceof Error ? problem.message : "It cannot be read.")
  }
}

const memoOf = ({ memo: { type, value } }: Transaction): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return value
  return type === "text" ? new TextDecoder().decode(value) : Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** Accounts other than the closing one that the envelope gives something to: by merge, payment, path or a new sponsor. */
const recipients = (transaction: Transaction): ReadonlySet<string> =>
  new Set(transaction.operations.flatMap((operation) => {
    const to = "destination" in operation && typeof operation.destination === "string" ? [operation.destination] : []
    return to.filter((address) => address !== transaction.source)
  }))

/** The account that a merge passes through: it pays on what it gets, in the same transaction. */
const throughIn = ({ operations }: Transaction): string | null => {
  const [merge, payment] = operations
  const isMediated = operations.length === 2 && merge?.type === "accountMerge" && payment?.type === "payment" &&
    payment.source === merge.destination
  return isMediated ? merge.destination : null
}

/** What the signer typed must be what the envelope does. Nothing else of the bundle is looked at. */
const check = (bundle: Bundle, destination: string, memo: string): Transaction => {
  const transaction = plainTransaction(bundle.envelope, bundle.networkPassphrase)
  if (explain(bundle.envelope, bundle.networkPassphrase).some((sentence) => sentence.includes("DANGER"))) {
    throw new Problem("This transaction does something that a close never does. Do not sign it.")
  }
  const others = [...recipients(transaction)].filter((address) => address !== destination && address !== throughIn(transaction))
  if (others.length > 0) {
    throw new Problem(
      `It also gives something to ${others.join(", ")}, which is not the address that you typed. Do not sign it.`,
      "destination"
    )
  }
  const merges = transaction.operations.some(({ type }) => type === "accountMerge")
  if (merges && !recipients(transaction).has(destination)) {
    throw new Problem("It does not pay the address that you typed. Do not sign it.", "destination")
  }
  if (memoOf(transaction) !== memo) throw new Problem("Its memo is not the one that you typed. Do not sign it.", "memo")
  return transaction
}

const showSigned = (bundle: Bundle, envelope: string): void => {
  const signed: Bundle = { ...bundle, envelope }
  const text = writeBundle(signed)
  const link = linkWith("/close", "bundle", text)
  section(
    "signed-part",
    "Signed: send it back",
    el("p", {}, "Nothing was sent to any network. Give the signed transaction back to who asked you, or pass it on to who signs next."),
    el("textarea", { readonly: "", rows: "5", "aria-label": "Signed transaction" }, envelope),
    button("Copy the signed transaction", () => void copy("The transaction", () => envelope)(), { class: "act" }),
    link === null ? null : button("Copy a link for who signs next", () => void copy("The link", () => link)()),
    saveBundle(text)
  )
  goTo("signed-part")
}

const hashOf = (transaction: Transaction): string => Array.from(transaction.hash(), (byte) => byte.toString(16).padStart(2, "0")).join("")

const signerWith = (bundle: Bundle, wallet: WalletModule | null) =>
  doing("bundle", async () => {
    const { networkPassphrase } = bundle
    const transaction = check(bundle, textIn("destination").toUpperCase(), textIn("memo"))
    const before = bundle.envelope
    const signed = wallet === null
      ? await signedElsewhere({ envelope: before, hash: hashOf(transaction), networkPassphrase, by: "yourself" }, "Sign the transaction")
      : (await wallet.signTransaction(before, { networkPassphrase, address: (await wallet.getAddress()).address })).signedTxXdr
    const after = TransactionBuilder.fromXdr(signed, networkPassphrase)
    if (!(after instanceof Transaction) || hashOf(after) !== hashOf(transaction)) {
      throw new Problem("The wallet gave another transaction, so it is not passed on.")
    }
    remove("desk")
    showSigned(bundle, signed)
  })

const showBundle = (bundle: Bundle): void => {
  const network = networkOf(bundle)
  const transaction = plainTransaction(bundle.envelope, bundle.networkPassphrase)
  const wallets = presentWallets()
  remove("paste", "account", "hands")
  section(
    "bundle",
    "The transaction to sign",
    network.name === "mainnet" ? el("p", { class: "danger" }, "Public network: what you sign moves real money.") : null,
    el(
      "p",
      { class: "note" },
      "What stands here is read from the transaction itself. Type the destination and the memo as you know them, not as a message says."
    ),
    explained(bundle.envelope, bundle.networkPassphrase),
    el("p", {}, "Compare this hash with the other signers, by telephone for example:"),
    el("p", { class: "hash", id: "bundle-hash" }, hashOf(transaction)),
    el("p", { class: "quiet" }, `Signatures so far: ${transaction.signatures.length}.`),
    ...field(
      "destination",
      "Address that is to receive (starts with G or M)",
      textInput({ class: "mono", autocapitalize: "characters", required: "" })
    ),
    ...field("memo", "Memo, if there is to be one", textInput({ maxlength: "64" })),
    ...wallets.map((wallet) =>
      button(`Check and sign with ${wallet.productName}`, () => void signerWith(bundle, wallet)(), { class: "act" })
    ),
    button("Check, and sign by pasting", () => void signerWith(bundle, null)(), wallets.length === 0 ? { class: "act" } : {})
  )
  goTo("bundle")
}

/** The page of a co-signer: a bundle from the link, or one that is pasted. It is never submitted here. */
export const coSign = (text: string | null): void => {
  remove("account", "hands")
  const pasted = el("textarea", { required: "", spellcheck: "false" })
  const form = el(
    "form",
    {},
    ...field("bundle-text", "What was sent to you", pasted),
    ...bundleFile(pasted),
    el("button", { class: "act" }, "Look at it")
  )
  form.addEventListener("submit", doing("paste", () => showBundle(opened(textIn("bundle-text")))))
  section("paste", "Sign for an account with several signers", form)
  if (text === null) return goTo("paste")
  void doing("paste", () => showBundle(opened(text)))()
}
