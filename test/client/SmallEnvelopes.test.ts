import { assert, describe, it } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import {
  mergeBundles,
  prepareBundle,
  signBundle,
  signingPlan,
  signWithKey,
  signWithSeveral,
  submitBundle
} from "../../src/client/Client.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { closed, optionsFor, served } from "./support/Closes.ts"

/** An account with many data entries that two keys close together. */
const TwoKeys = Effect.gen(function*() {
  const { destination, source } = yield* Pair()
  const second = Keypair.random()
  yield* perform("data", {
    as: source,
    operations: Array.from({ length: 60 }, (_, index) => Operation.manageData({ name: `${index} `.padEnd(64, "n"), value: "1" }))
  })
  yield* perform("two keys", {
    as: source,
    operations: [
      Operation.setOptions({ signer: { ed25519PublicKey: second.publicKey(), weight: 1 }, medThreshold: 2, highThreshold: 2 })
    ]
  })
  return { source, second, destination }
})

const bytesOf = (envelope: string): number => Buffer.from(envelope, "base64").length

describe("small envelopes", () => {
  it.live("go from hand to hand, and the client closes the rest of the account in more of them", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, second, source } = yield* service.on(TwoKeys)
        const to = destination.publicKey()
        const { decide: _, sign: _sign, ...common } = optionsFor(service, source, to)
        const options = { ...common, smallEnvelopes: true, decisions: [{ id: `destination:${to}`, choice: "i_control_this_address" }] }
        const bundle = (yield* Effect.promise(() => prepareBundle(options))) ?? assert.fail("the account is closed")
        assert.lengthOf(signingPlan(bundle), 2)
        const [mine, theirs] = yield* Effect.promise(() =>
          Promise.all([source, second].map((key) => signBundle(bundle, { ...options, sign: signWithKey(key) })))
        )
        const merged = mergeBundles(mine!, theirs!)
        assert.isAtMost(bytesOf(merged.envelope), 5_000)
        assert.isAbove(bytesOf(merged.envelope), 4_500)
        yield* Effect.promise(() => submitBundle(merged, options))
        const both = signWithSeveral({ [source.publicKey()]: signWithKey(source), [second.publicKey()]: signWithKey(second) })
        const { events } = yield* closed({ ...options, sign: both })
        const signed = events.flatMap((event) => (event._tag === "signed" ? [bytesOf(event.envelope)] : []))
        assert.lengthOf(signed, 1)
        for (const bytes of signed) assert.isAtMost(bytes, 5_000)
        assert.isNull(yield* accountOf(source))
      })
    ), 120_000)
})
