import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import { partiesOf } from "../../src/cli/Parties.ts"
import { signWithKey } from "../../src/client/signing/Key.ts"

const [owner, payer, destination] = [Keypair.random(), Keypair.random(), Keypair.random()]
const addressOf = (pair: Keypair | null) => Option.map(Option.fromNullable(pair), (one) => one.publicKey())

/** The account that is closed with these secrets, where `account` is named and `feePayer` pays. */
const sourceWith = (secrets: ReadonlyArray<Keypair>, named: { readonly account?: Keypair; readonly feePayer?: Keypair } = {}) => {
  const input = {
    source: addressOf(named.account ?? null),
    to: addressOf(destination),
    feePayer: addressOf(named.feePayer ?? null),
    memo: Option.none(),
    memoType: Option.none()
  }
  const known = new Map(secrets.map((pair) => [pair.publicKey(), signWithKey(pair)]))
  return partiesOf(input, { prepared: null }, known, false).pipe(Effect.map(({ source }) => source), Effect.provide(NodeContext.layer))
}

describe("the account that is closed", () => {
  it.effect("is the one that is named, or that of the only secret", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* sourceWith([owner]), owner.publicKey())
      assert.strictEqual(yield* sourceWith([payer, owner], { account: owner, feePayer: payer }), owner.publicKey())
      assert.strictEqual(yield* sourceWith([payer], { account: payer, feePayer: payer }), payer.publicKey())
      assert.include((yield* Effect.flip(sourceWith([payer, owner]))).message, "Which account")
    }))

  it.effect("is never by default the one that pays the fees", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(sourceWith([payer], { feePayer: payer }))
      assert.include(failure.message, "The only secret is that of --fee-payer.")
    }))
})
