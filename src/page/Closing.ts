import { brief, briefLumens } from "../client/BriefAmount.ts"
import { CloseAborted, UnansweredDecision } from "../client/ClientFailure.ts"
import { closeAccount } from "../client/CloseAccount.ts"
import type { CloseEvent, Plan } from "../client/CloseEvent.ts"
import type { Decision } from "../client/Question.ts"
import type { Receipt } from "../client/Receipt.ts"
import type { SigningRequest } from "../client/SigningRequest.ts"
import type { Memo } from "../domain/Memo.ts"
import { shownMemo } from "../domain/ShownMemo.ts"
import { contractBookOf } from "../verify/ContractBook.ts"
import { contractsOf } from "../verify/Shipped.ts"
import { button, el, goTo, remove, say, section } from "./Dom.ts"
import { facts } from "./Facts.ts"
import { ownBackend } from "./OwnBackend.ts"
import type { SignedIn } from "./SignIn.ts"
import { explained, signedElsewhere, withEnough } from "./SigningDesk.ts"

/** What a person agreed to. */
export interface Agreed {
  readonly plan: Plan
  readonly destination: string
  readonly memo: Memo | null
  readonly decisions: ReadonlyArray<Decision>
  /** The account that passes the lumens on to an exchange, where the person agreed to it. */
  readonly mediator: string | null
}

/** Signs with the wallet, or elsewhere, until enough have signed. What the wallet signs after the close was stopped is not used. */
const signer = ({ session: { source }, wallet }: SignedIn, signal: AbortSignal) => async (request: SigningRequest): Promise<string> => {
  const { envelope, hash, networkPassphrase } = request
  say(wallet === null ? "" : `Sign in ${wallet.productName}.`)
  const first = wallet === null
    ? await signedElsewhere({ envelope, hash, networkPassphrase, by: source }, "Sign the transaction")
    : (await wallet.signTransaction(envelope, { networkPassphrase, address: source })).signedTxXdr
  signal.throwIfAborted()
  return withEnough(request, first, source)
}

const states = { verified: "Verified on this page", signed: "Signed", submitted: "Sent, waiting for a ledger" } as const

/** Shows what happens, transaction by transaction. */
const shower = (passphrase: string, list: HTMLElement) => {
  const state = el("p", { class: "quiet" })
  let current: HTMLElement | null = null
  let notes: ReadonlyArray<HTMLElement> = []
  const tell = (text: string) => {
    state.textContent = text
    say(text)
  }
  return (event: CloseEvent): void => {
    switch (event._tag) {
      case "verified": {
        const { hash, number, of, transaction } = event
        current = el(
          "li",
          { "data-hash": hash },
          el("span", { class: "amount" }, `Transaction ${number}${of === null ? "" : ` of ${of}`}`),
          explained(transaction.xdr, passphrase),
          ...notes,
          el("p", { class: "hash" }, hash),
          state
        )
        list.append(current)
        return tell(states.verified)
      }
      case "signed":
      case "submitted":
        return tell(states[event._tag])
      case "confirmed":
        current?.append(el("p", { class: "done" }, `Done in ledger ${event.ledger}.`))
        state.textContent = ""
        return
      case "waiting":
        return tell(`Waiting ${event.seconds} s: ${event.message}`)
      case "built":
        notes = event.warnings.map(({ message }) => el("p", { class: "note" }, message))
        return
      case "planned":
      case "question":
      case "receipt":
        return
    }
  }
}

const showReceipt = ({ closed, destination, source, transactions }: Receipt): void => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["Closed account", source],
    ["Lumens arrived", brief(closed.receivedLumens)],
    ["Sent to", destination],
    ...(closed.memo === null ? [] : [["Memo", shownMemo(closed.memo)] as const]),
    ["Closed at", new Date(closed.closedAt ?? "").toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" })],
    ["Ledger", String(closed.ledger)],
    ["Last transaction", closed.hash],
    ...transactions.filter(({ hash }) => hash !== closed.hash).map(({ hash, ledger }) => [`Ledger ${ledger}`, hash] as const)
  ]
  section(
    "receipt",
    "The account is closed",
    el("p", { class: "big" }, briefLumens(closed.receivedLumens)),
    el("dl", {}, ...rows.flatMap(([name, value]) => [el("dt", {}, name), el("dd", { class: "mono exact" }, value)])),
    button("Print the receipt", () => window.print())
  )
  goTo("receipt")
}

/** Why a close ended without a receipt, in words. */
const endOf = (failure: unknown): string => {
  if (failure instanceof CloseAborted) {
    return "You stopped the close. Reject the request that your wallet may still show. A transaction that was sent may still count."
  }
  return failure instanceof Error ? failure.message : "The close stopped."
}

/** Closes the account as agreed, and shows everything that happens. Rejects with a text that says what to do. */
export const close = async (signedIn: SignedIn, { decisions, destination, mediator, memo, plan }: Agreed): Promise<void> => {
  const { network, session } = signedIn
  const list = el("ol", { class: "plain steps" })
  const stop = new AbortController()
  section(
    "progress",
    "5. Closing",
    el("p", {}, "Every transaction is checked on this page before you sign it: it must do what you agreed to, and nothing else."),
    list,
    button("Stop", () => stop.abort(), { id: "stop" })
  )
  goTo("progress")
  const { minReceivedLumens } = plan.estimate
  const closing = closeAccount({
    baseUrl: window.location.origin,
    fetch: ownBackend(session),
    network: session.network,
    networkPassphrase: network.passphrase,
    source: session.source,
    destination,
    memo,
    decisions,
    decide: () => null,
    sign: signer(signedIn, stop.signal),
    signal: stop.signal,
    contracts: network.sandbox && facts.sandboxContracts !== null ? contractBookOf(facts.sandboxContracts) : contractsOf(session.network),
    ...(minReceivedLumens === null ? {} : { accept: minReceivedLumens }),
    ...(mediator === null ? {} : { mediator })
  })
  try {
    const receipt = await closing.promise(shower(network.passphrase, list))
    remove("stop", "where", "plan", "confirm")
    showReceipt(receipt)
    say("The account is closed.")
  } catch (failure) {
    remove("desk", "stop")
    if (failure instanceof UnansweredDecision) {
      throw new Error(`Prices have moved: ${failure.question.subject}. Show the plan again, and agree to it anew.`, { cause: failure })
    }
    throw new Error(`${endOf(failure)} What is done stays done: show the plan again to go on.`, { cause: failure })
  }
}
