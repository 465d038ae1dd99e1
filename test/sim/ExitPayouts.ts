import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { AssetId } from "../../src/domain/Asset.ts"
import { accountOf, sameAccount } from "../../src/ledger/AccountId.ts"
import { type AppliedTransaction, applyTransaction } from "../../src/ledger/Apply.ts"
import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { transactionFacts } from "../../src/sandbox/network/TransactionFacts.ts"
import { heldIn } from "./Supply.ts"
import type { World } from "./World.ts"

/** Base units by asset. */
type Amounts = ReadonlyMap<AssetId, bigint>

/** Ledgers before a signature in which its transaction may have been built. */
const recent = 24

const belongsTo = (owner: xdr.PublicKey, { data }: xdr.LedgerEntry): boolean =>
  data.type === "account"
    ? sameAccount(data.account.accountId, owner)
    : data.type === "trustline" && sameAccount(data.trustLine.accountId, owner)

/** The owner's gains by the operations of a transaction. */
const gainsOf = (meta: Pick<AppliedTransaction["meta"], "operations">, owner: xdr.PublicKey): Amounts => {
  const sums = new Map<AssetId, bigint>()
  const add = (entry: xdr.LedgerEntry, sign: bigint) => {
    if (!belongsTo(owner, entry)) return
    for (const [asset, amount] of heldIn(entry, new Map())) sums.set(asset, (sums.get(asset) ?? 0n) + sign * amount)
  }
  for (const change of meta.operations.flat()) {
    if (change.type === "ledgerEntryState") add(change.state, -1n)
    if (change.type === "ledgerEntryCreated") add(change.created, 1n)
    if (change.type === "ledgerEntryUpdated") add(change.updated, 1n)
  }
  return new Map([...sums].filter(([, amount]) => amount > 0n))
}

/** The smaller of two payouts, asset by asset. */
const smaller = (left: Amounts, right: Amounts): Amounts =>
  new Map([...left].map(([asset, amount]) => {
    const other = right.get(asset) ?? 0n
    return [asset, other < amount ? other : amount]
  }))

/** The least that slippage of one per cent, the default, leaves of an amount. */
const floorOf = (amount: bigint): bigint => (amount * 99n) / 100n

/**
 * Checks what exits pay. Before it is signed, an exit is played on each of the last ledgers. In its own ledger it must pay the least of that,
 * or at most the slippage less.
 */
export class ExitPayouts {
  readonly #world: World
  readonly #expected = new Map<string, Amounts>()

  constructor(world: World) {
    this.#world = world
  }

  /** Remembers an exit that is about to be signed; its envelope in base64. */
  signed(envelopeXdr: string): void {
    const { network } = this.#world
    const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, "base64")
    const { hash, transaction } = transactionFacts(envelope, network.passphrase)
    const owner = accountOf(transaction.sourceAccount)
    const chains = new Set(Array.from({ length: recent }, (_, ledgers) => Effect.runSync(network.past(ledgers))))
    const payouts = [...chains].flatMap(({ state }) => {
      const { meta, result } = applyTransaction(
        state.at({ ledgerSeq: state.header.ledgerSeq + 1, closeTime: state.header.closeTime + 1n }),
        envelope,
        { networkPassphrase: network.passphrase, signatures: "assume", contracts: network.contracts }
      )
      return result.result.type === "txSuccess" ? [gainsOf(meta, owner)] : []
    })
    if (payouts.length > 0) this.#expected.set(hash, payouts.reduce(smaller))
  }

  /** Compares a transaction that succeeded with what was expected of it. */
  landed({ applied: { meta }, facts: { hash, transaction } }: TransactionRecord): void {
    const expected = this.#expected.get(hash)
    if (expected === undefined) return
    this.#world.log.saw("an exit whose payout was checked")
    const paid = gainsOf(meta, accountOf(transaction.sourceAccount))
    for (const [asset, amount] of expected) {
      const got = paid.get(asset) ?? 0n
      if (got < floorOf(amount)) this.#world.log.fault(`exit ${hash.slice(0, 12)} paid ${got} of ${asset}, and ${amount} when it was built`)
    }
  }
}
