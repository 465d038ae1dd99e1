import { Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { type Bundle, readBundle, writeBundle } from "../client/hands/Bundle.ts"
import { parseAmount } from "../domain/Amount.ts"
import { bundleProblem, isMediated, needsLeast, type Typed } from "./BundleCheck.ts"
import { bundleFile, saveBundle } from "./BundleFile.ts"
import { button, copy, doing, el, field, goTo, Problem, remove, section, textIn, textInput } from "./Dom.ts"
import { facts, type ServedNetwork } from "./Facts.ts"
import { linkWith } from "./Fragment.ts"
import { memoFields, memoIn } from "./MemoFields.ts"
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

/** What the co-signer typed about a transaction. */
const typedFor = (transaction: Transaction): Typed => ({
  destination: textIn("destination").toUpperCase(),
  memo: memoIn(),
  mediator: isMediated(transaction) ? textIn("mediator").toUpperCase() : null,
  least: needsLeast(transaction) ? parseAmount(textIn("least")) : null
})

/** What the signer typed must be what the envelope does. Nothing else of the bundle is looked at. */
const check = (bundle: Bundle): Transaction => {
  const transaction = plainTransaction(bundle.envelope, bundle.networkPassphrase)
  const problem = bundleProblem(bundle.envelope, transaction, typedFor(transaction), Math.floor(Date.now() / 1000))
  if (problem !== null) throw new Problem(problem.message, problem.field)
  return transaction
}

/** What is typed beside destination and memo, where the transaction needs it. */
const moreFields = (transaction: Transaction): ReadonlyArray<HTMLElement> => {
  const passes = isMediated(transaction)
  return [
    ...(passes
      ? field(
        "mediator",
        "Account that passes the lumens on to the exchange (starts with G)",
        textInput({ class: "mono", maxlength: "56", autocapitalize: "characters", required: "" }),
        "The owner of the account agreed to it. Compare it by another way than this transaction came."
      )
      : []),
    ...(needsLeast(transaction)
      ? field(
        "least",
        passes ? "Least lumens that must arrive" : "Least lumens that its sales must bring together",
        textInput({ class: "mono", inputmode: "decimal", required: "" })
      )
      : [])
  ]
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
    const transaction = check(bundle)
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
      "What stands here is read from the transaction itself. Fill in the fields below as you know them, not as a message says."
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
    ...memoFields(),
    ...moreFields(transaction),
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
