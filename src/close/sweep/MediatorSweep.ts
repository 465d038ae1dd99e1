import { Config, Context, Data, Effect, Layer, Option, Schema } from "effect"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { ledgersWithin } from "../../chain/CloseInterval.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { NewestEntries } from "../../chain/witness/NewestEntries.ts"
import { AccountAddress } from "../../domain/Address.ts"
import { stroops } from "../../domain/Amount.ts"
import { native } from "../../domain/Asset.ts"
import { MediatorNotConfigured, type NetworkFeeAboveLimit } from "../../domain/failure/Upstream.ts"
import type { Network } from "../../domain/Network.ts"
import type { SubmitResult } from "../../domain/SubmitResult.ts"
import { readTransaction } from "../../ledger/Transaction.ts"
import { ExchangeRegistry } from "../../registry/ExchangeRegistry.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { InclusionFees } from "../read/InclusionFees.ts"
import { type Destination, readDestination } from "../situation/DestinationState.ts"
import { envelopeOf } from "../situation/Envelope.ts"
import { FeeSettings } from "../situation/FeeSettings.ts"
import { type HeaderDoubt, HeaderRule } from "../situation/HeaderRule.ts"
import { accountIn, floatOf } from "../situation/MediatorAccount.ts"
import { MediatorSigner } from "../situation/MediatorSigner.ts"
import { submittedEnvelope, withSignatures } from "../situation/SubmittedEnvelope.ts"
import { oneSigner } from "../situation/Validity.ts"
import { Submission, type SubmitFailure } from "../submit/Submission.ts"

/** Where the surplus may not go. */
export class SweepRefused extends Data.TaggedError("SweepRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** Why nothing was moved. */
export type SweepFailure = SweepRefused | MediatorNotConfigured | NetworkFeeAboveLimit | HeaderDoubt | SubmitFailure | ChainFailure

/** What a sweep did. Amounts in stroops. */
export type SweepResult =
  | { readonly _tag: "Nothing"; readonly mediator: AccountAddress; readonly float: bigint }
  | {
    readonly _tag: "Moved"
    readonly mediator: AccountAddress
    readonly amount: bigint
    readonly fee: bigint
    readonly result: SubmitResult
  }

/** The setting that says where a mediator's surplus goes. */
export const sweepAccountSetting = (network: Network): string => `${network.toUpperCase()}_MEDIATOR_SWEEP_ACCOUNT`

/** `MAINNET_MEDIATOR_SWEEP_ACCOUNT` or `TESTNET_MEDIATOR_SWEEP_ACCOUNT`: the operator's own account; none when it is unset. */
export const sweepAccount = (network: Network): Config.Config<Option.Option<AccountAddress>> =>
  Config.option(Config.validate(Config.nonEmptyString(sweepAccountSetting(network)), {
    message: "must be an account address (G...)",
    validation: Schema.is(AccountAddress)
  }))

const problemOf = ({ account, asksForMemo, listing, lockedForEver, unverified }: Destination): string | null => {
  if (account === null) return "The sweep account does not exist on this network."
  if (listing !== null) return "The sweep account is an exchange address, which credits no one without a memo."
  if (unverified !== null) return `Public lists name the sweep account as an address of ${unverified.name}. Choose another one.`
  if (asksForMemo) return "The sweep account requires a memo, and a sweep carries none."
  return lockedForEver ? "The sweep account is locked: no signatures can ever move what it receives." : null
}

/** Pays what the mediator holds beyond its base reserve to its operator, so that a stolen key can take nothing. */
export class MediatorSweep extends Context.Tag("closeout/close/MediatorSweep")<MediatorSweep, {
  /** Pays the whole surplus less the fee; does nothing where there is none, or no more than so many stroops. */
  readonly sweep: (to: AccountAddress, tolerated?: bigint) => Effect.Effect<SweepResult, SweepFailure>
}>() {
  static readonly layer = Layer.effect(
    MediatorSweep,
    Effect.gen(function*() {
      const { mediator } = yield* MediatorSigner
      const { passphrase } = yield* NetworkSettings
      const newest = yield* NewestEntries
      const rpc = yield* ContractRpc
      const entries = yield* LedgerEntries
      const inclusion = yield* InclusionFees
      const registry = yield* ExchangeRegistry
      const fees = yield* FeeSettings
      const headers = yield* HeaderRule
      const submission = yield* Submission

      const sweep = Effect.fnUntraced(function*(to: AccountAddress, tolerated = 0n) {
        if (Option.isNone(mediator)) return yield* new MediatorNotConfigured()
        const { address, sign } = mediator.value
        if (to === address) return yield* new SweepRefused({ reason: "The sweep account is the mediator itself." })
        const { entries: [entry], header } = yield* newest.read([accountKey(address)])
        const account = accountIn(entry)
        if (account === null) return yield* new SweepRefused({ reason: "The mediator's account does not exist on this network." })
        const float = floatOf(account, header.baseReserve)
        if (tolerated > 0n && float <= tolerated) return { _tag: "Nothing" as const, mediator: address, float }
        const [destination, asked, doubt] = yield* Effect.all([
          readDestination(entries, to, [], registry.about(to)),
          inclusion.required,
          headers.doubt(header.closeTime)
        ], { concurrency: "unbounded" })
        const untrusted = doubt ?? fees.aboveLimit(header.baseFee)
        if (untrusted !== null) return yield* untrusted
        const problem = problemOf(destination)
        if (problem !== null) return yield* new SweepRefused({ reason: problem })
        const fee = fees.perOperation(asked.classic, header.baseFee)
        const amount = float - fee
        if (amount <= 0n) return { _tag: "Nothing" as const, mediator: address, float }
        const unsigned = envelopeOf({
          source: address,
          currentSequence: account.seqNum,
          operations: [{ type: "payment", source: address, destination: to, asset: native, amount: stroops(amount) }],
          feePerOperation: fee,
          memo: null,
          maxTime: header.closeTime + BigInt(oneSigner),
          maxLedger: header.sequence + ledgersWithin(oneSigner, yield* rpc.closeInterval)
        })
        const signature = yield* sign(readTransaction(unsigned, passphrase).hash)
        const submitted = yield* submittedEnvelope(unsigned.toXdr("base64"), passphrase)
        const result = yield* submission.submit(withSignatures(submitted, [signature]).toXdr("base64"))
        return { _tag: "Moved" as const, mediator: address, amount, fee, result }
      })
      return MediatorSweep.of({ sweep })
    })
  )
}
