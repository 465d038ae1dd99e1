import type { xdr } from "@stellar/stellar-sdk"
import { BigInt as Big, Context, Effect, Layer, Option } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { allReadable } from "../../chain/contract-rpc/LiveEntry.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { baseAccount, type DestinationAddress } from "../../domain/DestinationAddress.ts"
import { addressOf } from "../../stellar/Names.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { FloatSettings } from "./FloatSettings.ts"
import { spendable } from "./Holdings.ts"
import { MediatorSigner } from "./MediatorSigner.ts"
import { MediatorWatch } from "./MediatorWatch.ts"
import { requiredWeight, usableSigners } from "./Weight.ts"

/** The mediator of a network as one call sees it. */
export interface MediatorState {
  readonly address: AccountAddress
  /** Null when it was not read, because the destination does not need it, or when the ledger has no such account. */
  readonly entry: xdr.LedgerEntry | null
  /** Stroops beyond its base reserve above which it is paused. */
  readonly maxFloat: bigint
  /** Whether an alarm pauses it. False when it was not read. */
  readonly isPaused: boolean
}

/** Whether an address is the mediator's, or was before its key was changed. */
export const isMediator = (
  { formerMediators, mediator }: { readonly formerMediators: ReadonlyArray<AccountAddress>; readonly mediator: MediatorState | null },
  address: DestinationAddress
): boolean => [mediator?.address, ...formerMediators].includes(baseAccount(address))

/** The account in an entry of the mediator; null when there is none. */
export const accountIn = (entry: xdr.LedgerEntry | null | undefined): xdr.AccountEntry | null =>
  entry?.data.type === "account" ? entry.data.account : null

/** Whether the mediator's own key reaches the threshold of the payment it must sign. */
export const signsAlone = (account: xdr.AccountEntry): boolean => {
  const own = addressOf(account.accountId)
  return usableSigners(account).some(({ key, weight }) => key === own && weight >= requiredWeight(account, "med"))
}

/** What the mediator holds beyond its reserve and could lose, in stroops. */
export const floatOf = (account: xdr.AccountEntry, baseReserve: number): bigint => Big.max(spendable(account, baseReserve), 0n)

/** Reads the mediator where a close needs it. */
export class MediatorAccount extends Context.Tag("closeout/close/MediatorAccount")<MediatorAccount, {
  /** Null: this network has no mediator. With `whole` its account is read (`getLedgerEntries`), else only its address is known. */
  readonly state: (whole: boolean) => Effect.Effect<MediatorState | null, ChainFailure>
}>() {
  static readonly layer = Layer.effect(
    MediatorAccount,
    Effect.gen(function*() {
      const { mediator } = yield* MediatorSigner
      const entries = yield* LedgerEntries
      const { max } = yield* FloatSettings
      const { firstAlarm } = yield* MediatorWatch
      const readWhole = (address: AccountAddress) =>
        Effect.flatMap(entries.one(accountKey(address)), (live) => allReadable(Option.toArray(live)))
      return MediatorAccount.of({
        state: (whole) =>
          Option.match(mediator, {
            onNone: () => Effect.succeed(null),
            onSome: ({ address }) =>
              whole
                ? Effect.zipWith(
                  readWhole(address),
                  firstAlarm,
                  ([entry = null], alarm) => ({ address, entry, maxFloat: max, isPaused: alarm !== null }),
                  { concurrent: true }
                )
                : Effect.succeed({ address, entry: null, maxFloat: max, isPaused: false })
          })
      })
    })
  )
}
