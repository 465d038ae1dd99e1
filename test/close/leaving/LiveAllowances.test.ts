import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, addressVal, i128, struct, u32, variant } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { layer } from "../../support/Layered.ts"
import { plan } from "../support/Client.ts"
import { Service } from "../support/Service.ts"
import { laterLedger, ToyHolder, toyService } from "./support/ToyService.ts"

const farAway = 2_000_000

/** The allowance of the account for the pool of its position, valid for this many ledgers. */
const Allowed = (pool: number, amount: bigint, ledgers: number, life = ledgers) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const held = yield* on(ToyHolder({ pool }))
    const key = variant(
      "Allowance",
      struct({ from: addressVal(addressOf(held.source.publicKey())), spender: addressVal(addressOf(held.contract)) })
    )
    yield* on(Effect.flatMap(Network, ({ amend }) =>
      amend((state) => {
        const [until, kept] = [state.header.ledgerSeq + ledgers, state.header.ledgerSeq + life]
        return state.set(
          dataEntries(addressOf(held.token), [key, struct({ amount: i128(amount), live_until_ledger: u32(until) })], "temporary", kept)
        )
      })))
    yield* laterLedger
    const { warnings } = yield* plan({ source: held.source.publicKey(), destination: held.destination.publicKey() })
    return { ...held, found: warnings.filter(({ code }) => code === "allowance_live") }
  })

layer(toyService, { excludeTestServices: true })("an allowance that would outlive the merge", (it) => {
  it.effect("is named with who may take what", () =>
    Effect.gen(function*() {
      const { contract, found, token } = yield* Allowed(0, 7n, farAway)
      assert.deepStrictEqual(found.map(({ subject }) => subject), [`allowance:${token}:${contract}`])
      assert.match(found[0]?.message ?? "", /may take 7 base units .* works again if the account is ever created again/)
    }))

  it.effect("is not named when it is nothing, or over", () =>
    Effect.gen(function*() {
      assert.isEmpty((yield* Allowed(1, 0n, farAway)).found)
      assert.isEmpty((yield* Allowed(2, 7n, 0)).found)
      assert.isEmpty((yield* Allowed(4, 7n, 0, farAway)).found, "its entry outlives it")
    }))

  it.effect("is named in the last ledger in which it may be used", () =>
    Effect.gen(function*() {
      assert.lengthOf((yield* Allowed(3, 7n, 1)).found, 1)
    }))
})
