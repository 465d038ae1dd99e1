import { Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../../../src/ledger/Asset.ts"
import { submitRequests } from "../../../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { pays } from "./Paying.ts"

/** An account that posts this many EURC, owes 50 EURC against them and this many lumens, and keeps this many EURC free. */
export const SameAsset = (posted: bigint, kept: string, lumens = 2_000n) =>
  Effect.gen(function*() {
    const scene = yield* LendingNewcomer
    const { eurc, issuer, lender, native, source } = scene
    yield* perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] })
    yield* pays(issuer, source, eurc, `${posted}`)
    yield* submitRequests(
      "the account borrows what it posts",
      source,
      ["supplyCollateral", eurc, posted * lumen],
      ...(lumens === 0n ? [] : [["supplyCollateral", native, lumens * lumen] as const]),
      ["borrow", eurc, 50n * lumen]
    )
    yield* pays(source, lender, eurc, "50")
    if (kept !== "0") yield* pays(issuer, source, eurc, kept)
    return scene
  })
