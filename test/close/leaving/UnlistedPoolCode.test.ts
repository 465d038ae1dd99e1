import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { lumen } from "../../../src/ledger/Asset.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { addressOf, asU128, field, strkeyOf, u128 } from "../../../src/ledger/soroban/Values.ts"
import { ContractAddresses } from "../../../src/registry/ContractAddresses.ts"
import { constantProductPoolHash } from "../../../src/sandbox/contracts/Amm1.ts"
import { userRewardKey } from "../../../src/sandbox/contracts/amm1/RewardKeys.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { amm1ContractsAt } from "../../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Positions } from "../../../src/sandbox/scenarios/Amm1Positions.ts"
import { deployed } from "../../../src/serving/EmbeddedSandbox.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { codeEntry } from "../../protocols/support/Declared.ts"
import { address, amounts, declaredPool, u128 as u128Type } from "../../protocols/support/DeclaredPool.ts"
import { asked, pursued } from "../../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../../support/Layered.ts"
import { firstOf, isThorough } from "../../support/Thorough.ts"
import { saying } from "../support/GetterLies.ts"
import { accountOf } from "../support/LedgerView.ts"
import { Service } from "../support/Service.ts"
import { Sources, sourcesService } from "../support/Sources.ts"

const { constantProduct } = amm1ContractsAt

/** The sandbox's contracts file without the code of constant-product pools. */
const contracts = Layer.effect(
  ContractAddresses,
  Effect.map(ContractAddresses, (file) => {
    const { constantProductPool: _, ...amm_1 } = file.code?.amm_1 ?? {}
    return { ...file, code: { ...file.code, amm_1 } }
  })
).pipe(Layer.provide(deployed("amm_1")))

/** An account with shares of a pool of unlisted code that declares the interface that an exit relies on. */
const Sharing = Effect.gen(function*() {
  const { amend } = yield* Network
  const scene = yield* Amm1Positions
  const declared = declaredPool([address, u128Type, amounts])
  yield* amend((state) => state.set([newEntry(codeEntry(constantProductPoolHash, declared))]))
  return scene
})

const isAsked = ({ contract, name }: { readonly contract: string; readonly name: string }): boolean =>
  name === "get_user_reward" && contract === strkeyOf(constantProduct)

for (const [place, name] of firstOf(1, [[0, "first"], [1, "second"]] as const)) {
  layer(sourcesService(2, {}, { contracts }), { excludeTestServices: true })(
    `an account with shares of a pool whose code no file lists, where of two contract RPCs the ${name}`,
    (it) => {
      it.effect.runIf(isThorough)("says that nothing was earned, is paid what was earned", () =>
        Effect.gen(function*() {
          const { sandbox } = yield* Service
          const liar = (yield* Sources)[place]!
          const lie = saying((called) => (isAsked(called) ? u128(0n) : undefined))
          const { source } = yield* liar.lying(lie, Effect.tap(asked(Sharing), (held) => pursued(held, "convert_to_native")))
          assert.isNull(yield* accountOf(source))
          const { state } = yield* sandbox.snapshot
          const data = state.get(keyOfContractData(constantProduct, userRewardKey(addressOf(source.publicKey())), "persistent"))?.data
          assert(data?.type === "contractData")
          // Rewards that accrue between its claim and the withdrawal are not worth another claim.
          const left = asU128(field(data.contractData.val, "to_claim"))
          assert.isTrue(left < lumen / 100n, left.toString())
        }), 60_000)
    }
  )
}
