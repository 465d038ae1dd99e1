import type { xdr } from "@stellar/stellar-sdk"
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { AccountAddress } from "../../domain/Address.ts"
import { sharingByKey } from "../../fibers/SharedWork.ts"
import { steadyMillis } from "../../fibers/SteadyTime.ts"
import { ttlCache } from "../../fibers/TtlCache.ts"
import { sequenceLedgerOf } from "../../stellar/Entries.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import type { ChainFailure } from "../ChainFailure.ts"
import { allReadable } from "../contract-rpc/LiveEntry.ts"
import { ContractRpc } from "../ContractRpc.ts"
import { LedgerEntries } from "../LedgerEntries.ts"
import { type OwnLedger, type OwnTransactionText, readOwnLedger } from "./OwnLedger.ts"

/** An account's own transactions, as far back as they were read. */
export interface OwnPast {
  /** The newest first. */
  readonly records: ReadonlyArray<OwnTransactionText>
  /** Entries that they concern and the account owns, sponsors or may claim; whether they still exist is not looked up. */
  readonly keys: ReadonlyArray<xdr.LedgerKey>
  /**
   * Why there are no older ones: the account's entry names none before (`start`), the endpoint does not keep them in a form that this version
   * reads (`retention`), or there was no time for more (`time`). Later reads continue from there.
   */
  readonly end: "start" | "retention" | "time"
  /** The ledger from which on all are known; 0 where `end` is `start`. */
  readonly since: number
}

/** Time for reading further ledgers in one request, milliseconds. */
const readingMillis = 6_000

/** What is remembered of ledgers that were read: they never change. */
const remembered = { timeToLive: Duration.minutes(10), most: 20_000, mostWeight: 20_000_000 }

const weightOf = ({ keys, records }: OwnLedger): number =>
  records.reduce((sum, { envelope_xdr, result_xdr }) => sum + envelope_xdr.length + result_xdr.length, 200 * keys.length)

const nothing: OwnPast = { records: [], keys: [], end: "start", since: 0 }

/**
 * The own transactions of accounts, by what the contract RPC keeps. An account's entry names the ledger of its newest own transaction. The
 * metadata of that transaction shows the entry before it, which names the ledger of the one before. So only ledgers with own transactions
 * are read. What others did to the account is not among them.
 */
export class OwnLedgers extends Context.Tag("closeout/chain/OwnLedgers")<OwnLedgers, {
  /** Reads them back for at most 6 s; nothing for an account that does not exist. Callers for one account share one reading. */
  readonly of: (address: AccountAddress) => Effect.Effect<OwnPast, ChainFailure>
}>() {
  static readonly layer = Layer.scoped(
    OwnLedgers,
    Effect.gen(function*() {
      const rpc = yield* ContractRpc
      const entries = yield* LedgerEntries
      const share = yield* sharingByKey<AccountAddress, OwnPast, ChainFailure>()
      const known = ttlCache<string, OwnLedger>({ ...remembered, weightOf })

      const newestLedger = Effect.fnUntraced(function*(address: AccountAddress) {
        const [entry] = yield* allReadable(Option.toArray(yield* entries.one(accountKey(address))))
        return entry?.data.type === "account" ? sequenceLedgerOf(entry.data.account) : 0
      })

      const ledgerOf = Effect.fnUntraced(function*(address: AccountAddress, ledger: number) {
        const name = `${address} ${ledger}`
        const before = known.get(name, yield* steadyMillis)
        if (before !== undefined) return before
        const read = yield* readOwnLedger(rpc, address, ledger)
        if (read !== null) known.set(name, read, yield* steadyMillis)
        return read
      })

      const readBack = (address: AccountAddress): Effect.Effect<OwnPast, ChainFailure> =>
        Effect.gen(function*() {
          const until = (yield* steadyMillis) + readingMillis
          const ledgers: Array<OwnLedger> = []
          const past = (end: OwnPast["end"], missing = -1): OwnPast => ({
            since: missing + 1,
            records: ledgers.flatMap(({ records }) => records),
            keys: ledgers.flatMap(({ keys }) => keys),
            end
          })
          for (let ledger = yield* newestLedger(address); ledger > 0;) {
            if ((yield* steadyMillis) > until) return past("time", ledger)
            const read: OwnLedger | null = yield* ledgerOf(address, ledger)
            if (read === null) return past("retention", ledger)
            ledgers.push(read)
            // A ledger that names itself would never end.
            if (read.before >= ledger) return past("retention", read.before)
            ledger = read.before
          }
          return ledgers.length === 0 ? nothing : past("start")
        })

      return OwnLedgers.of({
        of: (address) => Effect.flatMap(share("OwnLedgers.read", address, readBack(address)), ({ outcome }) => outcome)
      })
    })
  )
}
