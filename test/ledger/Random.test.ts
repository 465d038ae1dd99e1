import { assert, describe, it } from "@effect/vitest"
import { type Keypair, xdr } from "@stellar/stellar-sdk"
import { FastCheck as fc } from "effect"
import { applyTransaction } from "../../src/ledger/Apply.ts"
import { Draft } from "../../src/ledger/Draft.ts"
import { withFields, withSequence } from "../../src/ledger/entries/Account.ts"
import { FrozenKeys } from "../../src/ledger/Frozen.ts"
import { tryOperations } from "../../src/ledger/Run.ts"
import { isThorough } from "../support/Thorough.ts"
import { begin, end } from "./support/Bodies.ts"
import { choice, populate, stepOf } from "./support/RandomStep.ts"
import { baseFee, codesOf, feeBump, idOf, networkPassphrase, type Step, World } from "./support/World.ts"

/** A few operations; sometimes inside a sponsorship of the first one's source. */
const transaction = fc.record({
  choices: fc.array(choice, { minLength: 1, maxLength: 4 }),
  sponsor: fc.option(fc.nat(5), { nil: undefined, freq: 3 }),
  isBumped: fc.boolean(),
  isBroken: fc.oneof({ weight: 12, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
})

const ran = new Set(["txSuccess", "txFailed", "txBadSponsorship"])

/** The innermost transaction code. */
const codeOf = (codes: ReadonlyArray<string>): string | undefined => (codes[0]?.startsWith("txFeeBump") === true ? codes[1] : codes[0])

describe("random transactions on random ledgers", () => {
  it("keep every invariant, and a failed one changes nothing but fee and sequence number", () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(fc.array(transaction, { minLength: 5, maxLength: 25 }), (transactions) => {
        const world = new World()
        const actors = populate(world)
        const payer = world.account(1_000_000_000_000n)
        for (const { choices, isBroken, isBumped, sponsor } of transactions) {
          const steps = choices.map((pick) => stepOf(world, actors, pick))
          const source = actors[choices[0]?.source ?? 0] ?? payer
          const framed: ReadonlyArray<Step> = sponsor === undefined || sponsor === choices[0]?.source
            ? steps
            : [[actors[sponsor] ?? payer, begin(source)], ...steps, [source, end()]]
          const inner = world.envelope(source, framed, isBroken ? { seqNum: 1n } : {})
          const envelope = isBumped ? feeBump(payer, 2n * baseFee * BigInt(framed.length + 1), inner) : inner
          const answer = world.checkEnvelope(envelope)
          const before = world.state
          const applied = world.submit(envelope)
          if (!isBumped && !isBroken) assertTriedAlike(before, source, inner)
          const codes = codesOf(applied)
          const code = codeOf(codes)
          for (const each of codes.slice(-framed.length)) seen.set(each, (seen.get(each) ?? 0) + 1)

          if (code === "txInternalError") assert.fail(JSON.stringify(envelope.toJson()))
          if (answer === null) assert.isTrue(ran.has(code ?? ""), `the queue let it in, the ledger says ${codes.join()}`)
          if (code !== "txSuccess") {
            assert.deepStrictEqual(
              dump(applied.state.entries()),
              dump(withFeeAndSequence(before, applied.state, isBumped ? payer : source, source, applied.feeCharged, inner, code))
            )
          }
        }
      }),
      { numRuns: isThorough ? 40 : 20 }
    )
    for (
      const code of [
        "paymentSuccess",
        "manageSellOfferSuccess",
        "createClaimableBalanceSuccess",
        "setOptionsSuccess",
        "beginSponsoringFutureReservesSuccess"
      ]
    ) {
      assert.isAbove(seen.get(code) ?? 0, 0, `${code} never happened`)
    }
  })
})

/** Checks that trying operations gives the result of their transaction, apart from the sequence number. */
const assertTriedAlike = (state: World["state"], source: Keypair, envelope: xdr.TransactionEnvelope): void => {
  const { result, state: after } = applyTransaction(state, envelope, { networkPassphrase, signatures: "assume" })
  const around = Draft.of(state)
  const draft = around.fork()
  const operations = envelope.type === "envelopeTypeTx" ? envelope.v1.tx.operations : []
  const outcome = tryOperations(draft, idOf(source), operations, FrozenKeys.of(around))
  assert.strictEqual(outcome.code, result.result.type)
  if (!("operations" in outcome) || (result.result.type !== "txSuccess" && result.result.type !== "txFailed")) return
  assert.deepStrictEqual(outcome.operations.map((each) => each.toXdr("base64")), result.result.results.map((each) => each.toXdr("base64")))
  if (outcome.code === "txFailed") return
  assert.deepStrictEqual(dump(unnumbered(draft.toState().entries())), dump(unnumbered(after.entries())))
  draft.commitTo(around)
  assert.deepStrictEqual(dump(around.toState().entries()), dump(draft.toState().entries()))
}

const unnumbered = (entries: Iterable<xdr.LedgerEntry>): ReadonlyArray<xdr.LedgerEntry> =>
  Array.from(entries, (entry) =>
    entry.data.type === "account"
      ? new xdr.LedgerEntry({
        ...entry,
        data: xdr.LedgerEntryData.account(withSequence(entry.data.account, 0n, { seqLedger: 0, seqTime: 0n }))
      })
      : entry)

const dump = (entries: Iterable<xdr.LedgerEntry>): ReadonlyArray<string> =>
  Array.from(entries, (entry) => new xdr.LedgerEntry({ ...entry, lastModifiedLedgerSeq: 0 }).toXdr("base64")).toSorted()

/** The ledger before, without the fee, and with the next sequence number where the transaction got that far. */
const withFeeAndSequence = (
  before: World["state"],
  after: World["state"],
  feeSource: Keypair,
  source: Keypair,
  feeCharged: bigint,
  inner: xdr.TransactionEnvelope,
  code: string | undefined
): ReadonlyArray<xdr.LedgerEntry> => {
  const seqNum = inner.type === "envelopeTypeTx" ? inner.v1.tx.seqNum : 0n
  const isUsed = code === "txFailed" || code === "txBadSponsorship" || code === "txInsufficientBalance" || code === "txBadAuth" ||
    code === "txBadAuthExtra"
  const { closeTime: seqTime, ledgerSeq: seqLedger } = after.header
  return Array.from(before.entries(), (entry) => {
    if (entry.data.type !== "account") return entry
    let account = entry.data.account
    const isOf = (pair: Keypair): boolean => Buffer.from(account.accountId.ed25519.value).equals(Buffer.from(pair.rawPublicKey()))
    if (isOf(feeSource)) account = withFields(account, { balance: account.balance - feeCharged })
    if (isOf(source) && isUsed) account = withSequence(account, seqNum, { seqLedger, seqTime })
    return new xdr.LedgerEntry({ ...entry, data: xdr.LedgerEntryData.account(account) })
  })
}
