import { assert } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sha256 } from "../../../src/ledger/Signatures.ts"
import { contractAddress, strkeyOf } from "../../../src/ledger/soroban/Values.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { PairsNewcomer } from "../../../src/sandbox/scenarios/PairsNewcomer.ts"
import { provideAssets } from "../../../src/sandbox/scenarios/PairsShares.ts"
import { StakedPools } from "../../../src/sandbox/scenarios/StakedPools.ts"
import { stakedPoolsContracts } from "../../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { asked, pursued, serviceOver } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { isThorough } from "../../support/Thorough.ts"
import { accountOf } from "../support/LedgerView.ts"
import { byReference } from "./support/ByReference.ts"

/** Owners of code, one for each contract. */
const owner = (name: string) => contractAddress(new xdr.ContractId(sha256(Buffer.from(name))))

const referring = (name: string, contract: xdr.ScAddress) =>
  Effect.flatMap(Network, ({ amend }) => amend((state) => byReference(state, contract, owner(name))))

const warnedOf = (held: { readonly plan: { readonly warnings: ReadonlyArray<{ readonly code?: string; readonly subject?: string }> } }) =>
  held.plan.warnings.filter(({ code }) => code === "code_by_reference").map(({ subject }) => subject)

layer(serviceOver(["amm_2"]), { excludeTestServices: true })("a pair that runs by reference", (it) => {
  it.effect.runIf(isThorough)("is read through and left", () =>
    Effect.gen(function*() {
      const held = yield* asked(
        PairsNewcomer.pipe(Effect.tap(provideAssets), Effect.tap(({ pairs }) => referring("of a pair", pairs.lumensUsdc)))
      )
      assert.deepStrictEqual(warnedOf(held), [strkeyOf(held.pairs.lumensUsdc)])
      yield* pursued(held, "acknowledge_residue")
      assert.isNull(yield* accountOf(held.source))
    }))
})

layer(serviceOver(["amm_3"]), { excludeTestServices: true })("a pool, its stake and its share token that run by reference", (it) => {
  it.effect.runIf(isThorough)("are read through and left", () =>
    Effect.gen(function*() {
      const { five } = stakedPoolsContracts
      const held = yield* asked(
        StakedPools.pipe(
          Effect.tap(() => referring("of a pool", five.pool)),
          Effect.tap(() => referring("of a stake", five.stake)),
          Effect.tap(() => referring("of a share token", five.shareToken))
        )
      )
      assert.includeMembers([...warnedOf(held)], [strkeyOf(five.pool), strkeyOf(five.stake)])
      yield* pursued(held)
      assert.isNull(yield* accountOf(held.source))
    }))
})
