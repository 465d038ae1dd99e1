import { assert } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { atOnce } from "../../../src/chain/pace/Turns.ts"
import { refusalOf } from "../../../src/close/answer/Refusals.ts"
import { receivedLumens } from "../../../src/close/project/MergedLumens.ts"
import { minReceived } from "../../../src/close/project/MinReceived.ts"
import { project, type Projection } from "../../../src/close/project/Projection.ts"
import { succeeded } from "../../../src/close/situation/ResultCodes.ts"
import type { Situation } from "../../../src/close/situation/Situation.ts"
import { AccountAddress } from "../../../src/domain/Address.ts"
import { showAmount } from "../../../src/domain/Amount.ts"
import type { Decision, DecisionOption, DecisionPoint } from "../../../src/domain/Decision.ts"
import type { LedgerState } from "../../../src/ledger/LedgerState.ts"
import { readTransaction } from "../../../src/ledger/Transaction.ts"
import { accountKey } from "../../../src/xdr/LedgerKeys.ts"
import { baseFee, codesOf, feeBump, networkPassphrase, signatureOf, type World } from "../../ledger/support/World.ts"
import { situationOf } from "./ModelSituation.ts"
import { burnt, paidTo, supplies } from "./Money.ts"
import type { Cast, Shape } from "./RandomAccount.ts"
import { assertTrue } from "./Witness.ts"

type Answers = ReadonlyMap<string, Decision>

const address = (key: Keypair) => AccountAddress.make(key.publicKey())

/** The address for an option that requires one. */
const addressFor = (option: string, cast: Cast) => {
  if (option === "transfer_to_account") return { destination: address(cast.heir) }
  return option === "transfer_sponsorship" ? { newSponsor: address(cast.patron) } : {}
}

/** The owner's consent to a sale far below the best price: its option has no minimum. */
const impactAccepted = ({ params, quote }: DecisionOption) =>
  quote !== undefined && params?.minReceive === undefined ? { acceptPriceImpactBps: quote.priceImpactBps } : {}

/** An answer to a point: the option that a wish selects, completed where the option needs more. */
const answer = (point: DecisionPoint, cast: Cast, wish: number): Decision | null => {
  const option = point.options[wish % Math.max(1, point.options.length)]
  if (option === undefined || (point.type === "sponsorship" && point.options.length === 1 && wish > 2)) return null
  const params = { ...option.params, ...addressFor(option.id, cast), ...impactAccepted(option) }
  return { id: point.id, choice: option.id, ...(Object.keys(params).length === 0 ? {} : { params }) }
}

interface Decided {
  readonly answers: Answers
  readonly situation: Situation
  readonly projected: Projection
}

const feePayerOf = ({ bump }: Shape) => (bump ? "fee_bump" as const : "source" as const)
/** Fee statistics when the close is planned. */
const plannedFees = (shape: Shape) => ({
  feePayer: feePayerOf(shape),
  feePerOperation: shape.fees.asked,
  envelopeLimit: shape.envelopeLimit
})
/** Fee statistics when its transactions are built: they have followed the ledger's fees up to the limit of the setting. */
const laterFees = (shape: Shape) => ({ ...plannedFees(shape), feePerOperation: larger(shape.fees.asked, BigInt(shape.fees.charged)) })
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** Plans and answers until every question has a fitting answer. */
const decide = (world: World, cast: Cast, shape: Shape): Decided => {
  const answers = new Map<string, Decision>()
  for (let turn = 0; turn < 12; turn++) {
    const situation = situationOf(world.state, cast, answers, plannedFees(shape)) ?? assert.fail("the account is gone")
    const projected = atOnce(project(situation))
    assertReadyMeansProjected(projected)
    const open = projected.points.filter(({ answered, required }) => required && !answered)
    if (open.length === 0) return { answers, situation, projected }
    let given = 0
    open.forEach((point, at) => {
      const said = answer(point, cast, turn < 4 || point.type === "sponsorship" ? shape.wishes[at % shape.wishes.length] ?? 0 : 0)
      if (said === null) return
      answers.set(point.id, said)
      given++
    })
    if (given === 0) return { answers, situation, projected }
  }
  return assert.fail("the questions never end")
}

const merging = ({ transaction }: { readonly transaction: xdr.TransactionEnvelope }): ReadonlyArray<xdr.Operation> =>
  transaction.type === "envelopeTypeTx" ? transaction.v1.tx.operations : []

const signedBy = (envelope: xdr.TransactionEnvelope, keys: ReadonlyArray<Keypair>): xdr.TransactionEnvelope => {
  if (envelope.type !== "envelopeTypeTx") return assert.fail("no plain envelope")
  const { hash } = readTransaction(envelope, networkPassphrase)
  return xdr.TransactionEnvelope.envelopeTypeTx(
    new xdr.TransactionV1Envelope({ tx: envelope.v1.tx, signatures: keys.map((key) => signatureOf(key, hash)) })
  )
}

/**
 * The smallest set of keys that the ledger accepts: it rejects extra signatures as well as missing ones. One of three is enough for a
 * claim.
 */
const signersFor = (
  envelope: xdr.TransactionEnvelope,
  { patron, signers: [master, ...others] }: Cast,
  shape: Shape
): ReadonlyArray<Keypair> => {
  const claims = merging({ transaction: envelope }).every(({ body }) => body.type === "claimClaimableBalance")
  const keys = {
    one: [master],
    "two of three": claims ? [master] : [master, others[0]],
    another: [others[0]],
    "too few": [master],
    "none usable": [others[0]]
  }[shape.keys]
  const foreign = merging({ transaction: envelope }).some(({ sourceAccount }) =>
    sourceAccount?.type === "keyTypeEd25519" && Buffer.from(sourceAccount.ed25519.value).equals(Buffer.from(patron.rawPublicKey()))
  )
  return [...keys, ...(foreign ? [patron] : [])].flatMap((key) => key ?? [])
}

/** The outcome of a case. */
export type Outcome =
  | { readonly kind: "closed"; readonly transactions: number }
  | { readonly kind: "blocked"; readonly reasons: ReadonlyArray<string> }

/** Applies a close to the ledger, transaction by transaction, each planned on the new state. */
const carryOut = (world: World, cast: Cast, shape: Shape, { answers, projected: promised, situation: planned }: Decided): Outcome => {
  const before = supplies(world.state)
  const destinationBefore = world.get(cast.destination).balance
  const wardBefore = world.get(cast.ward).balance
  const given = new Map<string, bigint>()
  const hashes = new Set<string>()
  let transactions = 0
  let toppedUp = 0n
  for (;;) {
    const situation = situationOf(world.state, cast, answers, laterFees(shape))
    if (situation === null) break
    const projected = atOnce(project(situation))
    const refusal = refusalOf(situation, projected, { given: undefined, actual: "", unused: [] })
    assert.isNull(refusal, `transaction ${transactions + 1}: ${JSON.stringify({ tag: refusal?._tag, message: refusal?.message })}`)
    assert.lengthOf(projected.transactions, promised.transactions.length - transactions, "the rounds left are those that were planned")
    const [round] = projected.transactions
    const envelope = round?.envelope ?? assert.fail("nothing to build")
    const signed = signedBy(envelope, signersFor(envelope, cast, shape))
    const submitted = feePayerOf(shape) === "fee_bump"
      ? feeBump(cast.patron, 100n * BigInt(merging({ transaction: envelope }).length + 1), signed)
      : signed
    assert.isAtMost(submitted.toXdr().length, shape.envelopeLimit ?? Infinity, `transaction ${transactions + 1} in bytes`)
    const applied = world.submit(submitted, shape.fees.charged)
    assert.isTrue(succeeded(applied.result), `transaction ${transactions + 1}: ${codesOf(applied).join()}`)
    const hash = Buffer.from(applied.transaction.hash).toString("hex")
    assert.isFalse(hashes.has(hash))
    hashes.add(hash)
    for (const [asset, amount] of burnt(envelope, cast)) given.set(asset, (given.get(asset) ?? 0n) + amount)
    toppedUp += paidTo(envelope, cast.destination)
    transactions++
  }
  assert.strictEqual(transactions, promised.transactions.length, "as many transactions as planned")
  const destinationAfter = world.get(cast.destination).balance
  const trades = shape.pays.includes("offer") && cast.ward.publicKey() === cast.destination.publicKey()
  const arrived = destinationAfter - destinationBefore - toppedUp
  const floor = minReceived(planned, promised)
  if (!trades && shape.fees.charged === 100) assert.strictEqual(arrived, promised.received, "the destination receives what was promised")
  if (!trades) assert.isTrue(arrived >= floor, `what arrives, ${arrived}, is not below ${floor}, whatever ledgers charge`)
  if (!shape.pays.includes("offer") && cast.ward.publicKey() !== cast.destination.publicKey()) {
    assert.isAtLeast(Number(world.get(cast.ward).balance - wardBefore), 0)
  }
  const after = supplies(world.state)
  for (const [asset, supply] of before) {
    if (asset !== "native") {
      assert.strictEqual((after.get(asset) ?? 0n) + (given.get(asset) ?? 0n), supply, `every unit of ${asset} is somewhere`)
    }
  }
  for (const [id, { choice, params }] of answers) {
    const asset = id.startsWith("asset:") ? id.slice(6).replace("-", ":") : null
    if (asset !== null && choice !== "return_to_issuer") assert.isFalse(given.has(asset), `${asset} was not to be given back`)
    if (asset !== null && given.has(asset)) {
      assert.isTrue((given.get(asset) ?? 0n) <= BigInt((params?.maxAmount ?? "0").replace(".", "")), "no more than agreed")
    }
  }
  return { kind: "closed", transactions }
}

/** A ready plan has a projection to the end: otherwise there is a blocker, or a required question is open. */
const assertReadyMeansProjected = ({ blockers, points, transactions }: Projection): void => {
  const ready = blockers.length === 0 && points.every(({ answered, required }) => answered || !required)
  if (ready) {
    assert.isTrue(
      transactions.every(({ applied }) => succeeded(applied.result)),
      `ready, and yet ${transactions.map(({ applied }) => codesOf(applied).join()).join("; ")}`
    )
  }
}

const balanceIn = (state: LedgerState, key: Keypair): bigint => {
  const data = state.get(accountKey(key.publicKey()))?.data
  return data?.type === "account" ? data.account.balance : 0n
}

/** The transactions of a projection before the first that was applied with lent lumens, and the sum of the loans. */
const withoutLoans = ({ transactions }: Projection, world: World, { source }: Cast) => {
  const loans = transactions.map(({ ledgerState }, at) =>
    balanceIn(ledgerState, source) - balanceIn(transactions[at - 1]?.applied.state ?? world.state, source)
  )
  const first = loans.findIndex((loan) => loan > 0n)
  return { own: first < 0 ? transactions : transactions.slice(0, first), lent: loans.reduce((sum, loan) => sum + loan, 0n) }
}

/** Checks that a loan is only for missing lumens, is reported to the stroop, and never counts as received. */
const assertLoansAreTold = ({ blockers, assumed, received, transactions }: Projection, own: number, lent: bigint): void => {
  const told = JSON.stringify([assumed, blockers.map(({ shown }) => shown)])
  assert.strictEqual(lent > 0n, own < transactions.length, told)
  if (lent === 0n) return
  assert.isTrue(blockers.some(({ shown }) => shown.reason === "insufficient_lumens"), told)
  assert.isTrue(assumed.some((doubt) => doubt.includes(` ${showAmount(lent)} lumens`)), told)
  const last = transactions.at(-1)
  if (last === undefined || !last.merges) return
  const merged = receivedLumens(last)
  assert.strictEqual(received, merged > lent ? merged - lent : 0n, told)
}

/** Plans a close, decides it, and then either applies it or proves on the ledger that it is impossible. */
export const closeOnModel = (world: World, cast: Cast, shape: Shape): Outcome => {
  const decided = decide(world, cast, shape)
  const { blockers, points, transactions } = decided.projected
  if (blockers.length === 0) return carryOut(world, cast, shape, decided)
  const { lent, own } = withoutLoans(decided.projected, world, cast)
  assertLoansAreTold(decided.projected, own.length, lent)
  const done = own.filter(({ applied }) => succeeded(applied.result))
  const failing = own[done.length]
  const told = `${transactions.map(({ applied }) => codesOf(applied).join()).join("; ")} ${
    JSON.stringify(blockers.map(({ shown }) => shown))
  }`
  const isFailing = blockers.some(({ shown }) => shown.reason === "projection_failed" && shown.subject === `transactions[${done.length}]`)
  // The plan does not report effects of an open required question, nor the failure of a blocking sponsorship.
  const asks = points.some(({ answered, required }) => required && !answered)
  const sponsors = blockers.some(({ shown }) => shown.reason?.startsWith("sponsor") === true) &&
    failing?.groups.some(({ steps }) => steps.some(({ type }) => type === "REVOKE_SPONSORSHIP")) === true
  assert.isTrue(
    failing === undefined || isFailing || asks || sponsors || failing.merges || failing.groups.some((unit) => unit.blockers.length > 0),
    `nothing but what is blocked may fail: ${told}`
  )
  assert.isFalse(done.some(({ merges }) => merges), `a blocked close does not merge: ${told}`)
  const left = done.at(-1)?.applied.state ?? world.state
  for (const { shown, failure } of blockers) {
    const lacking = failure?._tag === "InsufficientLumens" ? failure.needed : 0n
    if (failure?._tag === "InsufficientLumens") assert.isTrue(failure.needed > failure.spendable, told)
    assertTrue(shown, {
      world,
      cast,
      left,
      signers: shape.keys,
      operations: Number(lacking / baseFee),
      pays: !shape.bump,
      refused: failing?.envelope ?? null
    })
  }
  return { kind: "blocked", reasons: blockers.map(({ shown }) => shown.reason ?? "") }
}
