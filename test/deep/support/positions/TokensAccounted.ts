import { assert } from "@effect/vitest"
import { Asset } from "@stellar/stellar-sdk"
import { parseAmount } from "../../../../src/domain/Amount.ts"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import type { Answer } from "../../../close/support/Client.ts"
import type { Pursued, Taken } from "./PositionsClient.ts"
import type { PositionsScene } from "./PositionsScene.ts"
import { allowedIn, type GivenAllowance, type GivenToken, unitsIn } from "./TokensScene.ts"
import { balanceOf } from "./WalletBalance.ts"

type Closed = Extract<Pursued, { readonly kind: "closed" }>

const OTHERS = "tokens:others"

const units = (text: string | undefined): bigint => BigInt(text ?? assert.fail("no units"))

/** The description of an answer in assertion messages. */
const told = (token: GivenToken, { offer }: Pick<Taken, "offer">, answer: Answer | undefined): string =>
  JSON.stringify({ token: token.contract, shape: { ...token.shape, amount: token.shape.amount.toString() }, intent: offer.intent, answer })

/** Checks that the token's sale brought the agreed part of the minimum, by the account's lumens plus the fee. */
const assertSold = ({ source }: PositionsScene, token: GivenToken, one: Taken, { params }: Answer, sold: bigint): void => {
  const [before, after] = [one.before, one.after].map((state) => balanceOf(state, source, Asset.native()) ?? 0n)
  const least = parseAmount(params?.minReceive ?? "") ?? assert.fail("no floor")
  const whole = params?.amount === undefined ? sold : units(params.amount)
  const floor = sold < whole ? (least * sold + whole - 1n) / whole : least
  const brought = (after ?? 0n) - (before ?? 0n) + BigInt(one.offer.intent.feeStroops)
  assert.isTrue(
    brought >= floor,
    `${brought} stroops for a floor of ${floor}: ${told(token, one, one.answers.get(`token:${token.contract}`))}`
  )
}

/** Checks that one transaction moves a token as its owner decided: all of it, and to no other account. */
const assertMoved = (scene: PositionsScene, token: GivenToken, one: Taken): void => {
  const { destination, lender, source } = scene
  const inState = (state: LedgerState, who: string): bigint => unitsIn(state, token, who)
  const gained = (who: string): bigint => inState(one.after, who) - inState(one.before, who)
  const [own, id] = [source.publicKey(), `token:${token.contract}`]
  const [moved, answer] = [gained(own), one.answers.get(id)]
  if (moved === 0n) {
    assert.deepStrictEqual([gained(destination.publicKey()), gained(lender.publicKey())], [0n, 0n], told(token, one, answer))
    return
  }
  assert.include(one.offer.coversTargets ?? [], id, `moved unasked: ${told(token, one, answer)}`)
  assert.deepStrictEqual(one.offer.covers, ["HANDLE_TOKENS"])
  // A balance without an entry cannot be foreseen: its rest gets another question.
  if (token.shape.family === "book" && token.shape.turn !== "honest") return
  // A sale takes at most the agreed amount; the unit that a token keeps back gets another question.
  const kept = token.shape.turn === "takes less" && answer?.choice === "convert_to_native" ? 1n : 0n
  assert.isTrue(inState(one.after, own) <= kept, told(token, one, answer))
  if (answer?.choice === "convert_to_native") return assertSold(scene, token, one, answer, -moved)
  assert.strictEqual(answer?.choice, "transfer_to_account", told(token, one, answer))
  assert.isTrue(-moved <= units(answer?.params?.maxAmount), told(token, one, answer))
  assert.strictEqual(gained(answer?.params?.destination ?? ""), -moved, told(token, one, answer))
}

/** A token with books of its own that reports no balance is invisible. */
const isHidden = ({ shape: { family, turn } }: GivenToken): boolean => family === "book" && turn === "tells of none"

/** Checks that every remainder of a token was left by an answer, and that the last plan repeats it. */
const assertLeft = (token: GivenToken, left: bigint, { answers, taken }: Closed): void => {
  if (left === 0n || isHidden(token)) return
  const id = `token:${token.contract}`
  const answer = answers.get(id)
  const last = taken.at(-1) ?? assert.fail("closed by nothing")
  const shown = told(token, last, answer)
  if (answer === undefined) assert.strictEqual(answers.get(OTHERS)?.choice, "forfeit", `${left} left unasked: ${shown}`)
  else {
    assert.strictEqual(answer.choice, "acknowledge_residue", shown)
    assert.isTrue(answer.params?.unreadable === true || units(answer.params?.maxAmount) >= left, `${left}: ${shown}`)
  }
  const subject = answer === undefined ? OTHERS : id
  const warned = last.plan.warnings.some((each) => each.code === "forfeit_acknowledged" && each.subject === subject)
  assert.isTrue(warned, `${left} left without a word: ${shown}`)
}

/** Checks that an honest token is gone unless its owner left it. */
const assertObeyed = (token: GivenToken, left: bigint, { taken }: Closed): void => {
  const { shape: { turn }, contract } = token
  if (turn !== "honest") return
  const answers = taken.map((one) => one.answers.get(`token:${contract}`)?.choice).filter((choice) => choice !== undefined)
  const kept = answers.length === 0 || answers.at(-1) === "acknowledge_residue"
  assert.strictEqual(left > 0n, kept, `${left} left of ${contract} after ${answers.join(", ")}`)
}

/** Checks that an ended allowance allows nothing more. A kept one is reported to the end, and none ends without a decision. */
const assertAllowance = (scene: PositionsScene, of: GivenAllowance, given: LedgerState, closed: Closed, passphrase: string): void => {
  const { lender, source } = scene
  const last = closed.taken.at(-1) ?? assert.fail("closed by nothing")
  const [first, then] = [given, last.after].map((state) => allowedIn(state, lender, source, of, passphrase))
  const shown = `${of.id} ${JSON.stringify(closed.answers.get(of.id))} of ${first}, then ${then}`
  const asked = closed.taken[0]?.plan.decisionPoints.some(({ id }) => id === of.id) ?? false
  assert.strictEqual(asked, first !== 0n, shown)
  if (first === 0n) return
  const isEnded = closed.answers.get(of.id)?.choice === "revoke"
  assert.strictEqual(then, isEnded ? 0n : first, shown)
  const warned = last.plan.warnings.some(({ code, subject }) => code === "allowance_live" && subject === of.id)
  assert.strictEqual(warned, !isEnded, shown)
  assert.isTrue(isEnded || closed.answers.get(of.id)?.choice === "keep", shown)
}

/**
 * Checks on the ledger alone that every unit of every token was sold, sent, or left by name. Every allowance ended or stayed as decided.
 */
export const assertTokensAccounted = (scene: PositionsScene, given: LedgerState, closed: Closed, passphrase: string): void => {
  const { source, tokens: { allowances, held } } = scene
  const end = closed.taken.at(-1)?.after ?? assert.fail("closed by nothing")
  for (const token of held) {
    assert.strictEqual(unitsIn(given, token, source.publicKey()), token.shape.amount)
    for (const one of closed.taken) assertMoved(scene, token, one)
    const left = unitsIn(end, token, source.publicKey())
    assertLeft(token, left, closed)
    assertObeyed(token, left, closed)
  }
  for (const one of allowances) assertAllowance(scene, one, given, closed, passphrase)
}
