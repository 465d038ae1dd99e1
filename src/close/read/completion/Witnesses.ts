import { Data, Effect, Option, Schedule } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import type { ContractRpc } from "../../../chain/ContractRpc.ts"
import type { TransactionRecord } from "../../../chain/ledger-api/TransactionRecord.ts"
import type { LedgerApi } from "../../../chain/LedgerApi.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { LedgerApiLagging, SourcesDisagree } from "../../../domain/failure/Upstream.ts"
import { accountKey } from "../../../ledger/LedgerKey.ts"
import { hashesOf } from "./Ending.ts"

/** The two sources that are held against each other. */
export interface Witnesses {
  readonly api: LedgerApi["Type"]
  readonly rpc: ContractRpc["Type"]
}

/** One source may be a little later than the other: it gets this long to catch up. */
const catchingUp = Schedule.spaced("1 second").pipe(Schedule.upTo("5 seconds"))

/** Fails unless both sources say that an account is gone, of the same ledger or a later one. */
export const bothSayGone = (
  { api, rpc }: Witnesses,
  address: AccountAddress
): Effect.Effect<void, ChainFailure | LedgerApiLagging | SourcesDisagree> =>
  Effect.gen(function*() {
    const { entries, latestLedger } = yield* rpc.ledgerEntries([accountKey(address)])
    if (entries.length > 0) return yield* new SourcesDisagree({ about: address })
    yield* Effect.flatMap(api.latestLedger, ({ sequence }) =>
      sequence < latestLedger ? new LedgerApiLagging({ behind: latestLedger - sequence }) : Effect.void).pipe(
        Effect.retry({
          while: ({ _tag }) =>
            _tag === "LedgerApiLagging",
          schedule: catchingUp
        })
      )
    const listed = yield* api.account(address)
    if (Option.isNone(listed)) return
    const behind = latestLedger - listed.value.latestLedger
    return yield* behind > 0 ? new LedgerApiLagging({ behind }) : new SourcesDisagree({ about: address })
  })

/** The contract RPC has not reached the ledger of a transaction. */
class NotYet extends Data.TaggedError("NotYet")<{}> {}

/** A transaction of the past that was held against the contract RPC, as that knows it. */
export interface Witnessed {
  readonly record: TransactionRecord
  /** The contract RPC does not reach so far back: only the ledger API tells. */
  readonly historyOnly: boolean
}

/** Holds a transaction that the ledger API tells against the contract RPC. What that no longer remembers rests on the ledger API alone. */
export const witnessed = (
  { rpc }: Witnesses,
  record: TransactionRecord,
  passphrase: string
): Effect.Effect<Witnessed, ChainFailure | SourcesDisagree> => {
  const disagree = new SourcesDisagree({ about: record.hash })
  const ask = Effect.gen(function*() {
    const { envelope, latestLedger, ledger, oldestLedger, result, status } = yield* rpc.transaction(record.hash)
    if (status === "NOT_FOUND" && record.ledger > latestLedger) return yield* new NotYet()
    if (status === "NOT_FOUND" && record.ledger < oldestLedger) return { record, historyOnly: true }
    const same = envelope !== undefined && result !== undefined && ledger === record.ledger &&
      hashesOf(envelope, passphrase).includes(record.hash)
    return status === "SUCCESS" && same ? { record: { ...record, envelope, result }, historyOnly: false } : yield* disagree
  })
  return ask.pipe(
    Effect.retry({ while: ({ _tag }) => _tag === "NotYet", schedule: catchingUp }),
    Effect.catchTag("NotYet", () => disagree)
  )
}
