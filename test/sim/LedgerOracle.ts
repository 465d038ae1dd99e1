import type { xdr } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { AssetId } from "../../src/domain/Asset.ts"
import { inconsistencies } from "../../src/ledger/Invariants.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { minBalance } from "../../src/ledger/Reserves.ts"
import type { Chain } from "../../src/sandbox/network/Chain.ts"
import type { TransactionRecord } from "../../src/sandbox/network/LedgerRecord.ts"
import { isContractTransaction } from "../../src/sandbox/network/TransactionFacts.ts"
import { accountKey, keyOf, keyText } from "../../src/xdr/LedgerKeys.ts"
import { keptByMediator } from "./Delivery.ts"
import type { ExitPayouts } from "./ExitPayouts.ts"
import { OnceOnly } from "./OnceOnly.ts"
import { actorsIn, type AssetContracts, heldIn, issuerIn, learn, type Minters } from "./Supply.ts"
import type { World } from "./World.ts"

/** An entry before and after; undefined or null where it does not exist. */
interface Change {
  readonly before: xdr.LedgerEntry | undefined
  readonly now: xdr.LedgerEntry | null
}

const changesOf = (before: LedgerState, after: LedgerState): ReadonlyArray<Change> => {
  const [was, is] = [new Set(before.entries()), new Set(after.entries())]
  const touched = [...[...was].filter((entry) => !is.has(entry)), ...[...is].filter((entry) => !was.has(entry))]
  const keys = new Map(touched.map((entry) => [keyText(keyOf(entry)), keyOf(entry)]))
  return [...keys.values()].map((key) => ({ before: before.get(key), now: after.get(key) ?? null }))
}

/** A failed transaction: its ledger, and its fee in stroops. */
interface Failure {
  readonly ledger: number
  readonly fee: bigint
  readonly isCall: boolean
}

/**
 * Checks every ledger: the model's invariants, the sum of each asset, the mediator's reserve and what it keeps, landed and failed
 * transactions, payouts of exits, and duplicates.
 */
export class LedgerOracle {
  readonly #world: World
  readonly #contracts: AssetContracts = new Map()
  readonly #failures = new Map<string, Array<Failure>>()
  readonly #once = new OnceOnly()
  /** Hashes of transactions that succeeded. */
  readonly landed = new Set<string>()
  #last: Chain

  readonly #minters: Minters
  readonly #payouts: ExitPayouts

  constructor(world: World, minters: Minters, payouts: ExitPayouts) {
    this.#world = world
    this.#minters = minters
    this.#payouts = payouts
    this.#last = Effect.runSync(world.network.snapshot)
    for (const entry of this.#last.state.entries()) learn(entry, this.#contracts, world.network.passphrase)
  }

  /** Checks the ledgers since its last look. */
  look(): void {
    const chain = Effect.runSync(this.#world.network.snapshot)
    const last = this.#last
    if (chain.history.latest.sequence === last.history.latest.sequence) return
    this.#last = chain
    const ledgers = [...chain.history.from(last.history.latest.sequence + 1)]
    const transactions = ledgers.flatMap((ledger) => ledger.transactions)
    for (const { hash, sequence } of ledgers) this.#world.log.note("ledger", sequence, hash.slice(0, 12))
    for (const one of transactions) this.#record(one)
    const changes = changesOf(last.state, chain.state)
    for (const { now } of changes) if (now !== null) learn(now, this.#contracts, this.#world.network.passphrase)
    for (const broken of inconsistencies(changes, { before: last.state, after: chain.state })) this.#world.log.fault(broken)
    this.#checkSupply(changes, transactions)
    this.#checkMediators(chain.state)
  }

  /** Stroops of fees for an account's failed transactions after a ledger. */
  failedFees(source: string, after: number): bigint {
    return (this.#failures.get(source) ?? []).reduce((sum, { fee, ledger }) => (ledger > after ? sum + fee : sum), 0n)
  }

  /** The newest ledger. */
  get chain(): Chain {
    return this.#last
  }

  /** A transaction that is in a ledger. */
  transaction(hash: string): TransactionRecord | null {
    return Option.getOrNull(this.#last.history.transaction(hash))
  }

  #record(one: TransactionRecord): void {
    const { applied, facts, ledger, successful } = one
    const { log } = this.#world
    const mediators = new Set(this.#world.mediators.map((mediator) => mediator.publicKey()))
    for (const what of this.#once.repeatedBy(one, mediators)) log.fault(`twice in ledgers: ${what}`)
    log.note("applied", facts.hash.slice(0, 12), successful ? "success" : "failure")
    if (successful) {
      const kept = keptByMediator(one, mediators)
      if (kept > 0n) log.fault(`${kept} stroops of an account stay with a mediator`)
      this.#payouts.landed(one)
      return void this.landed.add(facts.hash)
    }
    const known = this.#failures.get(facts.source) ?? []
    known.push({ ledger, fee: applied.feeCharged, isCall: isContractTransaction(facts.transaction) })
    this.#failures.set(facts.source, known)
    if (known.filter(({ isCall }) => isCall).length === 2) log.saw("an exit that failed twice")
  }

  /** The supply of lumens changes only by fees, and that of an asset only by its issuer's actions. */
  #checkSupply(changes: ReadonlyArray<Change>, transactions: ReadonlyArray<TransactionRecord>): void {
    const sums = new Map<AssetId, bigint>()
    const add = (entry: xdr.LedgerEntry | null | undefined, sign: bigint) => {
      if (entry === null || entry === undefined) return
      for (const [asset, amount] of heldIn(entry, this.#contracts)) sums.set(asset, (sums.get(asset) ?? 0n) + sign * amount)
    }
    for (const { before, now } of changes) {
      add(before, -1n)
      add(now, 1n)
    }
    const fees = transactions.reduce((sum, { applied }) => sum + applied.feeCharged, 0n)
    const actors = actorsIn(transactions, this.#minters)
    for (const [asset, sum] of sums) {
      const issuer = issuerIn(asset)
      const expected = issuer === null ? -fees : 0n
      if (sum !== expected && (issuer === null || !actors.has(issuer))) {
        this.#world.log.fault(`${asset} changes by ${sum}, not by ${expected}`)
      }
    }
  }

  #checkMediators(state: LedgerState): void {
    for (const mediator of this.#world.mediators) {
      const data = state.get(accountKey(mediator.publicKey()))?.data
      if (data?.type !== "account") this.#world.log.fault("the mediator is gone")
      else if (data.account.balance < minBalance(state.header, data.account)) this.#world.log.fault("the mediator is below its reserve")
    }
  }
}
