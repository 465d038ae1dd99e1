import { Array as Arr, Context, Effect, Layer, Option } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { allReadable } from "../chain/contract-rpc/LiveEntry.ts"
import type { AccountRecord } from "../chain/ledger-api/AccountRecord.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import type { AccountAddress } from "../domain/Address.ts"
import { SourcesDisagree } from "../domain/failure/Upstream.ts"
import { addressOf, signerKeyOf } from "../stellar/Names.ts"
import { accountKey } from "../xdr/LedgerKeys.ts"

/** Who may speak for an account. */
export interface SigningRule {
  /** Keys by which signatures can be recognised (G...), with their weights above zero. */
  readonly signers: ReadonlyArray<{ readonly key: string; readonly weight: number }>
  /** The weight that signatures must reach together. */
  readonly threshold: number
}

interface Weighted {
  readonly key: string
  readonly weight: number
}

/** Signers of any kind with their weights, in an order of their own, as one text to compare by. */
const shown = (signers: ReadonlyArray<Weighted>): string =>
  signers.filter(({ weight }) => weight > 0).map(({ key, weight }) => `${key} ${weight}`).toSorted().join(",")

const areOne = (entry: { readonly all: ReadonlyArray<Weighted>; readonly medium: number }, listed: AccountRecord): boolean =>
  shown(entry.all) === shown(listed.signers) && entry.medium === listed.mediumThreshold

/**
 * Reads who may speak for an account. Both sources are queried and must agree: one that lies must not hand someone's keys to someone else.
 */
export class AccountSigners extends Context.Tag("closeout/keys/AccountSigners")<AccountSigners, {
  /**
   * The account's signers and its medium threshold, at least 1. For an account that does not exist its own key alone signs.
   * Fails when a source fails, or when the two tell different signers.
   */
  readonly of: (address: AccountAddress) => Effect.Effect<SigningRule, ChainFailure | SourcesDisagree>
}>() {
  static readonly layer: Layer.Layer<AccountSigners, never, LedgerEntries | LedgerApi> = Layer.effect(
    AccountSigners,
    Effect.gen(function*() {
      const entries = yield* LedgerEntries
      const ledgerApi = yield* LedgerApi

      const byEntry = (address: AccountAddress) =>
        entries.one(accountKey(address)).pipe(
          Effect.flatMap((live) => Effect.map(allReadable(Option.toArray(live)), Arr.head)),
          Effect.map(Option.flatMap(({ data }) => {
            if (data.type !== "account") return Option.none()
            const { accountId, signers, thresholds } = data.account
            const [master = 0, , medium = 0] = thresholds.value
            const all = [
              { key: String(addressOf(accountId)), weight: master },
              ...signers.map(({ key, weight }) => ({ key: signerKeyOf(key), weight }))
            ]
            return Option.some({ all, medium })
          }))
        )

      return AccountSigners.of({
        of: (address) =>
          Effect.gen(function*() {
            // What the contract RPC says twice is one source's word.
            if (ledgerApi.absent !== null) return yield* ledgerApi.absent
            const [entry, listed] = yield* Effect.all([byEntry(address), ledgerApi.account(address)], { concurrency: 2 })
            if (Option.isNone(entry) && Option.isNone(listed)) return { signers: [{ key: address, weight: 1 }], threshold: 1 }
            if (Option.isNone(entry) || Option.isNone(listed) || !areOne(entry.value, listed.value)) {
              return yield* new SourcesDisagree({ about: address })
            }
            const { all, medium } = entry.value
            const threshold = Math.max(1, medium)
            return { signers: all.filter(({ key, weight }) => key.startsWith("G") && weight > 0), threshold }
          })
      })
    })
  )
}
