import { type Keypair, StrKey } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { Network } from "../../../src/sandbox/Network.ts"
import { approveSpender, deployToken } from "../../../src/sandbox/scenarios/Tokens.ts"

/** The number of an owner's successive approvals, and of the ledgers that they span. */
export interface ApprovalHistoryOptions {
  readonly owner: Keypair
  /** Of this many tokens, in turn: honest ones of the families with readable allowances. */
  readonly tokens: number
  readonly live: number
  readonly revoked: number
  readonly ledgers: number
}

/** An address without any contract or account. */
const spenderNumber = (number: number): string =>
  StrKey.encodeContract(createHash("sha256").update(`closeout sandbox spender ${number}`).digest())

/** Long enough for the first approvals to be live at the end. */
const life = 500_000

/**
 * An owner approves spender after spender at an even pace, and revokes most of it, each in a transaction of its own. As many ledgers pass
 * in between. Every revocation is two approvals, of which the second is zero. Returns the tokens and the spenders with a live allowance.
 */
export const ApprovalHistory = Effect.fnUntraced(function*(options: ApprovalHistoryOptions) {
  const { ledgers, live, owner, revoked } = options
  const { closeLedger, snapshot } = yield* Network
  const tokens = yield* Effect.forEach(
    Array.from({ length: options.tokens }, (_, at) => at),
    (at) => deployToken({ family: at % 2 === 0 ? "example" : "open_zeppelin", symbol: `T${at}` })
  )
  const count = live + revoked
  const every = Math.floor(ledgers / Math.max(1, count))
  const liveUntil = (yield* snapshot).state.header.ledgerSeq + life
  const stillLive: Array<{ readonly token: string; readonly spender: string }> = []
  for (let number = 0; number < count; number++) {
    const token = tokens[number % tokens.length] ?? ""
    const spender = spenderNumber(number)
    yield* approveSpender(token, { owner, spender, amount: 1_000n + BigInt(number), liveUntil })
    // Spread evenly among the others, so that live approvals are neither all old nor all new.
    const isLive = Math.floor(((number + 1) * live) / count) > Math.floor((number * live) / count)
    if (isLive) stillLive.push({ token, spender })
    else yield* approveSpender(token, { owner, spender, amount: 0n, liveUntil: 0 })
    if (every > 2) yield* closeLedger({ ledgers: every - 2 })
  }
  return { tokens, live: stillLive }
})
