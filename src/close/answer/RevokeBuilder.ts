import { BigInt as Big, Clock, Context, Effect, Layer, Match, Option, Schema } from "effect"
import { headerOf } from "../../account/AccountSnapshot.ts"
import type { ChainFailure } from "../../chain/ChainFailure.ts"
import { allReadable } from "../../chain/contract-rpc/LiveEntry.ts"
import { ContractRpc } from "../../chain/ContractRpc.ts"
import { LedgerEntries } from "../../chain/LedgerEntries.ts"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import { pinned } from "../../chain/Pin.ts"
import { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { showAmount, stroops } from "../../domain/Amount.ts"
import { InvalidOwner, InvalidSpender, InvalidToken, NothingToRevoke, TokenMissing } from "../../domain/failure/Input.ts"
import { InsufficientLumens, RevokeUnsafe, SimulationFailed } from "../../domain/failure/Planning.ts"
import { AccountNotFound } from "../../domain/failure/Request.ts"
import type { NetworkFeeAboveLimit, ServiceBusy } from "../../domain/failure/Upstream.ts"
import { unixSeconds } from "../../domain/Instant.ts"
import { LedgerState } from "../../ledger/LedgerState.ts"
import { InvokeContract } from "../../operations/InvokeContract.ts"
import { sequenceLedgerOf } from "../../stellar/Entries.ts"
import { AllowanceLookup } from "../../tokens/AllowanceLookup.ts"
import type { Approval } from "../../tokens/Approval.ts"
import { revokeCall } from "../../tokens/Revoke.ts"
import { accountKey } from "../../xdr/LedgerKeys.ts"
import { tokenLimit } from "../leaving/simulation/AnswerLimit.ts"
import { simulateCall } from "../leaving/simulation/CallSimulator.ts"
import { Admission } from "../load/Admission.ts"
import { dryCheck } from "../project/DryRun.ts"
import { InclusionFees } from "../read/InclusionFees.ts"
import type { CallSimulation } from "../situation/CallSimulation.ts"
import { callEnvelope } from "../situation/Envelope.ts"
import { leewayOf } from "../situation/Fees.ts"
import { FeeSettings, largestOwnResourceFee } from "../situation/FeeSettings.ts"
import { type HeaderDoubt, HeaderRule } from "../situation/HeaderRule.ts"
import { spendable } from "../situation/Holdings.ts"
import { resultCodes } from "../situation/ResultCodes.ts"
import { callValidityOf } from "../situation/Validity.ts"

/** The allowance to revoke, as the request names it. */
export interface RevokeQuestion {
  readonly owner: string
  readonly token: string
  readonly spender: string
}

/** Why there is no transaction. */
export type RevokeFailure =
  | InvalidOwner
  | InvalidToken
  | InvalidSpender
  | TokenMissing
  | NothingToRevoke
  | AccountNotFound
  | RevokeUnsafe
  | SimulationFailed
  | InsufficientLumens
  | NetworkFeeAboveLimit
  | ServiceBusy
  | HeaderDoubt
  | ChainFailure

const isSpender = Schema.is(Schema.Union(AccountAddress, ContractAddress))

/** An allowance with its owner. */
interface OwnedApproval extends Approval {
  readonly owner: AccountAddress
}

/** The question, with every address of the right form. */
const checked = (
  { owner, spender, token }: RevokeQuestion
): Effect.Effect<OwnedApproval, InvalidOwner | InvalidToken | InvalidSpender> => {
  if (!Schema.is(AccountAddress)(owner)) return new InvalidOwner()
  if (!Schema.is(ContractAddress)(token)) return new InvalidToken()
  return isSpender(spender) ? Effect.succeed({ owner, spender, token }) : new InvalidSpender()
}

const failing = ({ reason }: { readonly reason: string }) => new SimulationFailed({ reason })

/** The failure of simulations that only positions come to. */
const refusing = () => failing({ reason: "its contract rejects it" })

/** Why a call is not handed over, by its simulation. */
const refusalOf = (simulation: Exclude<CallSimulation, { readonly _tag: "Ready" }>): RevokeUnsafe | SimulationFailed =>
  Match.valueTags(simulation, {
    Unsafe: ({ reason }) => new RevokeUnsafe({ reason }),
    TooDear: ({ resourceFee }) =>
      failing({ reason: `its resource fee of ${showAmount(resourceFee)} lumens is above this service's limit` }),
    Restore: () => failing({ reason: "entries of the token are archived and must be restored first" }),
    Failed: failing,
    Changed: failing,
    Unavailable: failing,
    Short: refusing,
    CannotReceive: refusing,
    TooEarly: refusing,
    Endless: refusing,
    Unreached: refusing
  })

/** Whether a token keeps books of its own for an allowance. Fails where there is no contract, or nothing to revoke. */
const readAllowance = (lookup: AllowanceLookup["Type"], { owner, spender, token }: OwnedApproval) =>
  Effect.gen(function*() {
    const { all: [one] } = yield* lookup.of(owner, {
      events: [],
      registry: { tokens: [], spenders: [] },
      manual: { tokens: [token], spenders: [spender] }
    })
    if (one === undefined) return yield* new TokenMissing()
    switch (one._tag) {
      case "Nothing":
        return yield* new NothingToRevoke()
      case "Unasked":
        return yield* Effect.fail(one.failure)
      case "NoValue":
        return { ownBooks: true }
      case "Live":
      case "Odd":
        return { ownBooks: !one.isStored }
    }
  })

/** The owner's account (`getLedgerEntries`). */
const readOwner = (entries: LedgerEntries["Type"], owner: AccountAddress) =>
  Effect.flatMap(
    Effect.flatMap(entries.one(accountKey(owner)), (live) => allReadable(Option.toArray(live))),
    ([entry]) =>
      entry?.data.type === "account"
        ? Effect.succeed({ entry, account: entry.data.account })
        : Effect.fail(new AccountNotFound({ address: owner }))
  )

/** What its owner lacks to pay for a revocation, stroops; null: nothing. */
const lumensLacking = (available: bigint, fee: bigint, resourceFee: bigint): InsufficientLumens | null =>
  available < fee
    ? new InsufficientLumens({ needed: stroops(fee + leewayOf(resourceFee)), spendable: stroops(Big.max(available, 0n)) })
    : null

/** Builds the transaction that revokes one allowance. */
export class RevokeBuilder extends Context.Tag("closeout/close/RevokeBuilder")<RevokeBuilder, {
  /**
   * One unsigned transaction (base64) with the single call `approve(owner, spender, 0, 0)`, simulated on a ledger later than the owner's last
   * change. `NothingToRevoke` where there is nothing; `RevokeUnsafe` where the token asks for more, or does more.
   */
  readonly revoke: (question: RevokeQuestion) => Effect.Effect<string, RevokeFailure>
}>() {
  static readonly layer = Layer.effect(
    RevokeBuilder,
    Effect.gen(function*() {
      const { admit } = yield* Admission
      const rpc = yield* ContractRpc
      const entries = yield* LedgerEntries
      const fees = yield* FeeSettings
      const inclusion = yield* InclusionFees
      const rule = yield* HeaderRule
      const { network, passphrase } = yield* NetworkSettings
      const lookup = yield* AllowanceLookup

      const build = Effect.fnUntraced(function*(asked: OwnedApproval) {
        const { owner, token } = asked
        const [latest, { account, entry }, asking] = yield* Effect.all([rpc.latestLedger, readOwner(entries, owner), inclusion.required], {
          concurrency: 3
        })
        const doubt = yield* rule.doubt(latest.closeTime)
        if (doubt !== null) return yield* Effect.fail(doubt)
        const aboveLimit = fees.aboveLimit(latest.baseFee)
        if (aboveLimit !== null) return yield* aboveLimit
        const { ownBooks } = yield* readAllowance(lookup, asked)
        const call = revokeCall(owner, asked)
        const simulation = yield* simulateCall(
          {
            rpc,
            entries,
            user: owner,
            currentSequence: account.seqNum,
            assets: new Map(),
            knownCode: new Set(),
            lastChange: Math.max(sequenceLedgerOf(account), entry.lastModifiedLedgerSeq),
            mostResourceFee: Big.min(fees.mostResourceFee, largestOwnResourceFee),
            feePayer: "source",
            limit: tokenLimit(passphrase),
            about: { token, ownBooks }
          },
          call,
          true
        )
        if (simulation._tag !== "Ready") return yield* refusalOf(simulation)
        const { auth, resources } = simulation
        const fee = resources.resourceFee + fees.perOperation(asking.contracts, latest.baseFee)
        const lacking = lumensLacking(spendable(account, latest.baseReserve), fee, resources.resourceFee)
        if (lacking !== null) return yield* lacking
        const header = headerOf(latest)
        const now = unixSeconds(yield* Clock.currentTimeMillis)
        const closeInterval = yield* rpc.closeInterval
        const { maxLedger, maxTime } = callValidityOf({ input: { validForSeconds: null }, now, closeInterval }, { account }, header)
        const envelope = callEnvelope({
          source: owner,
          currentSequence: account.seqNum,
          operation: InvokeContract.build(owner, call, auth),
          resources,
          fee,
          maxTime,
          maxLedger
        })
        const refused = dryCheck(LedgerState.make(header, [entry]), envelope, "source", passphrase)
        return refused === null
          ? envelope.toXdr("base64")
          : yield* new SimulationFailed({ reason: `the ledger would reject it: ${resultCodes(refused).resultCode}` })
      })

      return RevokeBuilder.of({
        revoke: (question) => Effect.flatMap(checked(question), (asked) => admit("close")(pinned(network, build(asked))))
      })
    })
  )
}
