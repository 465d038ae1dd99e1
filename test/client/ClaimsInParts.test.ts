import { assert, describe, it } from "@effect/vitest"
import { type Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { agreementOf } from "../../src/client/Agreement.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Buyer, Issued, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { closed, optionsFor, served } from "./support/Closes.ts"
import { expectedOf } from "./support/Expecting.ts"

const unclaimed = (of: Keypair, asset: Asset, giver: Keypair, count: number) =>
  perform("balances to claim", {
    as: giver,
    operations: Array.from({ length: count }, () =>
      Operation.createClaimableBalance({ asset, amount: "1", claimants: [new Claimant(of.publicKey())] }))
  })

describe("a close that claims more of an asset than fits one transaction", () => {
  it.live("sells each part at the price that was agreed for the whole", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("200"))
        const { asset, issuer } = yield* service.on(Issued("USD", [source, "10"]))
        yield* service.on(Buyer(asset, "5000", "2"))
        for (const count of [100, 30]) yield* service.on(unclaimed(source, asset, issuer, count))
        const { events, receipt } = yield* closed(optionsFor(service, source, destination.publicKey()))
        assert.isAbove(events.filter(({ _tag }) => _tag === "confirmed").length, 1)
        assert.strictEqual(yield* accountOf(source), null)
        // 140 USD at half a lumen each, less fees.
        assert.closeTo(Number(receipt.closed.receivedLumens), 270, 0.01)
      })
    ), 120_000)
})

describe("a plan that names more of an asset than the account has", () => {
  it.effect("makes no part of it cheaper: each sale must bring the whole floor", () =>
    Effect.gen(function*() {
      const issuer = Keypair.random().publicKey()
      const id = `asset:USD-${issuer}`
      const view = {
        balances: new Map([[id, 10_0000000n]]),
        held: [{ id: "claim:one", asset: `USD:${issuer}`, amount: 130_0000000n }]
      }
      const floorsFor = (amount: string) =>
        agreementOf([{ id, choice: "convert_to_native", params: { minReceive: "70.0000000", amount } }]).pipe(
          Effect.flatMap((agreement) => expectedOf(agreement, view)),
          Effect.map(({ floors }) => floors)
        )
      assert.deepStrictEqual(yield* floorsFor("140.0000000"), {})
      assert.deepStrictEqual(yield* floorsFor("140.0000001"), { [id]: 70_0000000n })
    }))
})
