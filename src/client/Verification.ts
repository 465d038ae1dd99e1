import type { HttpClient } from "@effect/platform"
import { Asset, type Transaction } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { parseAmount, showAmount } from "../domain/Amount.ts"
import { effectOf, givesUp, isSale } from "../domain/ChoiceEffect.ts"
import type { CloseTransaction } from "../domain/CloseTransaction.ts"
import { PlanChanged } from "../domain/failure/Planning.ts"
import type { Expected, SentDecision } from "../operations/Expected.ts"
import { type SeenContract, withPosition } from "../verify/ContractBook.ts"
import { explain } from "../verify/Explain.ts"
import { verify } from "../verify/Verify.ts"
import { type AccountView, accountView } from "./AccountView.ts"
import { type Agreement, decisionsOf, isChoice, sentDecisions, withoutLowered } from "./Agreement.ts"
import { type CloseFailure, PositionVanished, TransactionNotVerified, UnexpectedAnswer, UnprovenContract } from "./ClientFailure.ts"
import type { CloseSettings } from "./CloseOptions.ts"
import { Closing } from "./Closing.ts"
import { tooSmall } from "./Dust.ts"
import { calledContracts, callsContract, decodePlain, hashOf, namesIn } from "./Envelope.ts"
import { assetOf } from "./Floors.ts"
import { guaranteeOf, isMerging } from "./Guarantee.ts"
import type { Inventory } from "./Inventory.ts"
import { ownPlan } from "./OwnPlan.ts"
import type { PlanFacts } from "./PlanFacts.ts"
import { CallFailed, type Service } from "./ServiceClient.ts"
import { type SignedPurchase, type Spending, spendingIn, spentBeside } from "./Spending.ts"
import { unixTime } from "./UnixTime.ts"
import { witnessedAssetContracts } from "./Witness.ts"

/**
 * The least that sales must bring, by decision, for any part of an asset that they sell. Left out is a sale for no more than the account had, by
 * the caller's witness, or without one by the service. Of that the verifier requires for each part its part of the price. A plan that named more
 * would make every part cheaper.
 */
const floorsOf = (agreement: Agreement, whole: Begun["whole"]): Readonly<Record<string, bigint>> =>
  Object.fromEntries(
    decisionsOf(agreement).flatMap(({ choice, id, params }) => {
      if (!isSale(choice) || params?.minReceive === undefined) return []
      const amount = parseAmount(params.amount ?? "")
      return amount !== null && amount <= (whole.get(id) ?? 0n) ? [] : [[id, params.minReceive]]
    })
  )

/** All that an account has of its assets with what it can claim of them, in base units, by the id of the asset's decision. */
export const wholeOf = ({ balances, held }: AccountView): Begun["whole"] => {
  const whole = new Map(balances)
  for (const { amount, asset, id } of held) {
    if (!id.startsWith("claim:") || amount === undefined || asset === undefined) continue
    const decision = `asset:${asset.replace(":", "-")}`
    whole.set(decision, (whole.get(decision) ?? 0n) + amount)
  }
  return whole
}

/** What was known when the close began, or when it was last planned. */
export interface Begun {
  /** Ids of what the account had outside of its own entries. */
  readonly had: Pick<ReadonlySet<string>, "has">
  readonly facts: PlanFacts
  /** What purchases for debts may have cost so far. */
  readonly spent: Spending
  /** What the account had of each asset, with what it could claim, in base units, by the id of the asset's decision. */
  readonly whole: ReadonlyMap<string, bigint>
}

/** What a purchase may still cost: a service could have it made again and again. */
const lessSpent = (decision: SentDecision, spent: Begun["spent"]): SentDecision => {
  const { maxSpend, spendAsset } = decision.params ?? {}
  const before = spendAsset === undefined ? 0n : spent.get(spendAsset) ?? 0n
  if (maxSpend === undefined || before === 0n) return decision
  const left = (parseAmount(maxSpend) ?? 0n) - before
  return { ...decision, params: { ...decision.params, maxSpend: showAmount(left > 0n ? left : 0n) } }
}

/** What is known beside the account and what was agreed. */
export interface Known extends Begun {
  /** Unix seconds. */
  readonly now: number
  readonly feeCap: bigint
  /** Ids of what the merge may leave behind without a decision. */
  readonly left: ReadonlySet<string>
}

/** The same agreement without decisions about some tokens. */
const withoutTokens = (agreement: Agreement, contracts: ReadonlyArray<string>): Agreement => {
  const ids = new Set(contracts.map((contract) => `token:${contract}`))
  const others = (answers: Agreement["suggested"]) => new Map([...answers].filter(([id]) => !ids.has(id)))
  const { decided, fixed, suggested } = agreement
  return { ...agreement, fixed: others(fixed), decided: others(decided), suggested: others(suggested) }
}

/** The tokens that decisions are about, by their contracts. */
const tokensIn = (agreement: Agreement): ReadonlyArray<string> =>
  decisionsOf(agreement).flatMap(({ id }) => (id.startsWith("token:") ? [id.slice("token:".length)] : []))

/**
 * The same agreement without decisions about tokens that are classic assets of the account. `asset:` decides about those, and only that is
 * compared with the market.
 */
const withoutOwnAssets = ({ balances }: AccountView, agreement: Agreement, passphrase: string): Agreement => {
  if (tokensIn(agreement).length === 0) return agreement
  const assets = [...balances.keys()].flatMap((id) => assetOf(id) ?? [])
  return withoutTokens(agreement, assets.map(({ code, issuer }) => new Asset(code, issuer).contractId(passphrase)))
}

/**
 * The same for tokens that a call names, where the witness's contract RPC shows that they stand for a classic asset. It reads only the
 * trustlines that the service names, so a service could hide the asset's.
 */
export const withoutAssetContracts = (
  agreement: Agreement,
  transaction: Transaction
): Effect.Effect<Agreement, CallFailed | CloseFailure, Closing | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { retrying, settings: { witness } } = yield* Closing
    const names = namesIn(transaction)
    const tokens = tokensIn(agreement).filter((token) => names.has(token))
    if (witness?.rpcUrl === undefined || tokens.length === 0) return agreement
    return withoutTokens(agreement, yield* retrying(witnessedAssetContracts(witness.rpcUrl, tokens)))
  })

/** What the verifier holds an envelope against: nothing of it comes from the service's build. */
export const expectation = (
  settings: CloseSettings,
  agreement: Agreement,
  view: AccountView,
  { left, ...known }: Known
): Expected => {
  const agreed = withoutOwnAssets(view, agreement, settings.passphrase)
  const decisions = sentDecisions(agreed)
  const answered = new Set(decisions.map(({ id }) => id))
  return {
    networkPassphrase: settings.passphrase,
    source: settings.source,
    sequence: view.sequence,
    balanceStroops: view.balanceStroops,
    destination: settings.destination,
    memo: settings.memo,
    ...(settings.mediator === undefined ? {} : { mediator: { address: settings.mediator, memoType: settings.memo?.type ?? "none" } }),
    decisions: decisions.map((one) => lessSpent(one, known.spent)),
    floors: floorsOf(agreed, known.whole),
    contracts: view.seen.reduce(withPosition, settings.contracts),
    feeCap: known.feeCap,
    now: known.now,
    // What strangers added since the close began stops no merge.
    phase: {
      held: view.held.filter(({ id }) => !left.has(id) && (known.had.has(id) || answered.has(id))).map((one) => ({
        ...one,
        owes: [...(one.owes ?? []), ...(known.facts.owes.get(one.id) ?? [])]
      }))
    },
    ...(settings.validForSeconds === undefined ? {} : { validForSeconds: settings.validForSeconds })
  }
}

/** The contract that a refused transaction calls, where it would pass if the service were right about the code that runs there. */
export const unprovenIn = (
  { passphrase, verify: judge = verify }: Pick<CloseSettings, "passphrase" | "verify">,
  { claimed }: AccountView,
  expected: Expected,
  envelope: string
): Effect.Effect<SeenContract | null, UnexpectedAnswer> =>
  Effect.map(decodePlain(envelope, passphrase), (transaction) => {
    const called = calledContracts(transaction)
    const claim = claimed.find(({ contract }) => called.includes(contract))
    if (claim === undefined) return null
    return judge({ ...expected, contracts: withPosition(expected.contracts, claim) }, envelope).ok ? claim : null
  })

/** The hash of an envelope that does what is expected of it; else why it is not signed. */
export const judged = (
  settings: CloseSettings,
  view: AccountView,
  expected: Expected,
  envelope: string
): Effect.Effect<string, TransactionNotVerified | UnprovenContract | UnexpectedAnswer> =>
  Effect.gen(function*() {
    const verdict = (settings.verify ?? verify)(expected, envelope)
    if (verdict.ok) return verdict.hash
    const unproven = yield* unprovenIn(settings, view, expected, envelope)
    if (unproven !== null) return yield* new UnprovenContract(unproven)
    return yield* new TransactionNotVerified({
      hash: hashOf(yield* decodePlain(envelope, settings.passphrase)),
      violations: verdict.violations
    })
  })

/** Whether nothing speaks against a transaction but what its merge leaves behind. */
export const onlyLeavesBehind = (violations: TransactionNotVerified["violations"]): boolean =>
  violations.every(({ rule }) => rule === "left_behind")

/** The agreement that a transaction is compared with: floors that were lowered unasked hold in the merge's own transaction only. */
const boundBy = (transaction: Transaction, agreement: Agreement): Agreement =>
  isMerging(transaction) ? agreement : withoutLowered(agreement)

/** Ids of what answers give up. */
const givenUpIn = (agreement: Agreement): ReadonlySet<string> =>
  new Set(
    decisionsOf(agreement).flatMap(({ choice, id, params }) =>
      isChoice(choice) && givesUp(effectOf(choice)) ? [id, ...(params?.ids ?? [])] : []
    )
  )

/** Why a plan cannot have seen all positions; null: nothing speaks against it. */
const planMisses = (inventory: Inventory, givenUp: ReadonlySet<string>): PositionVanished | PlanChanged | null => {
  const positionId = inventory.missing(givenUp)
  if (positionId !== undefined) return new PositionVanished({ positionId })
  const subject = inventory.appeared()
  return subject === undefined ? null : new PlanChanged({ planHash: null, changes: [{ kind: "facts", subject }] })
}

/** An envelope that may be signed. */
export interface VerifiedTransaction {
  readonly envelope: string
  readonly hash: string
  readonly sequence: bigint
  readonly feeCap: bigint
  /** Stroops that arrive at least; null where it merges nothing. */
  readonly guaranteed: bigint | null
  /** What its purchases for debts may cost. */
  readonly spending: Spending
  /** The contracts that it calls or may write to, and what its call names. */
  readonly names: ReadonlySet<string>
  /** What it does, in sentences decoded from it. */
  readonly explanation: ReadonlyArray<string>
}

/** Holds a built transaction against what was agreed and what the caller knows. Nothing of the answer but the envelope counts. */
export const verified = (
  { hash, networkPassphrase, xdr }: CloseTransaction,
  agreement: Agreement,
  progress: Omit<Begun, "spent" | "had"> & {
    readonly inventory: Inventory
    readonly usedSequence: bigint
    readonly purchases: ReadonlyArray<SignedPurchase>
  }
): Effect.Effect<VerifiedTransaction, CallFailed | CloseFailure, Closing | Service | HttpClient.HttpClient> =>
  Effect.gen(function*() {
    const { retrying, settings } = yield* Closing
    const transaction = yield* decodePlain(xdr, settings.passphrase)
    const own = hashOf(transaction)
    if (networkPassphrase !== settings.passphrase) {
      return yield* new UnexpectedAnswer({
        reason: "the transaction is for another network: set networkPassphrase if it is the one you mean"
      })
    }
    if (own !== hash) return yield* new UnexpectedAnswer({ reason: "the hash of the answer is not that of its envelope" })
    if (transaction.signatures.length > 0) return yield* new UnexpectedAnswer({ reason: "the transaction carries signatures already" })
    const view = yield* retrying(accountView(settings, progress.usedSequence))
    progress.inventory.see(view)
    const misseen = isMerging(transaction) ? planMisses(progress.inventory, givenUpIn(agreement)) : null
    if (misseen !== null) {
      return yield* new CallFailed({ failure: misseen, retry: "replan", retryAfterSeconds: null })
    }
    const feeCap = settings.feeCap(callsContract(transaction))
    const known = {
      ...progress,
      had: progress.inventory,
      now: yield* unixTime,
      feeCap,
      spent: yield* spentBeside(progress.purchases, BigInt(transaction.sequence), settings.witness)
    }
    const bound = boundBy(transaction, yield* withoutAssetContracts(agreement, transaction))
    const judgedLeaving = (left: ReadonlySet<string>) => judged(settings, view, expectation(settings, bound, view, { ...known, left }), xdr)
    const judgement = Effect.catchTag(judgedLeaving(new Set()), "TransactionNotVerified", (refused) =>
      view.dust.size > 0 && onlyLeavesBehind(refused.violations)
        ? Effect.flatMap(ownPlan(agreement), ({ warnings }) =>
          judgedLeaving(tooSmall(warnings, agreement, view.dust)))
        : refused)
    if ((yield* judgement) !== own) {
      return yield* new UnexpectedAnswer({ reason: "the verifier looked at another transaction" })
    }
    const brings = yield* guaranteeOf(transaction, agreement, view)
    return {
      envelope: xdr,
      spending: spendingIn(transaction),
      names: namesIn(transaction),
      hash: own,
      sequence: BigInt(transaction.sequence),
      feeCap,
      guaranteed: brings,
      explanation: explain(xdr, settings.passphrase)
    }
  })
