import { assert } from "@effect/vitest"
import { type Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Option } from "effect"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { addressOf, strkeyOf, u128 } from "../../../../src/ledger/soroban/Values.ts"
import { keyOfVault, writeKey, writeOptionalKey } from "../../../../src/sandbox/contracts/vaults/VaultValues.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { callContract } from "../../../../src/sandbox/scenarios/CallContract.ts"
import { fund, perform } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { vaultsContracts } from "../../../../src/sandbox/scenarios/VaultsContracts.ts"
import type { Denomination } from "../../../../src/sandbox/scenarios/VaultsEntries.ts"
import { vaultsIn } from "../../../../src/sandbox/scenarios/VaultsList.ts"
import { openVault } from "../../../../src/sandbox/scenarios/VaultsMarket.ts"
import type { Offered } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"

/** The vaults contract as in JSON. */
export const vaultsContract = strkeyOf(vaultsContracts.vaults)

/** The decision about a vault. */
export const vaultDecision = (denomination: Denomination): string => `position:cdp_1:${vaultsContract}:${denomination}`

/** The current ledger. */
export const ledger: Effect.Effect<LedgerState, never, Service> = Effect.flatMap(
  Service,
  ({ sandbox }) => Effect.map(sandbox.snapshot, ({ state }) => state)
)

/** Owners of the vaults of a denomination, lowest first. */
export const ownersIn = (denomination: Denomination): Effect.Effect<ReadonlyArray<string>, never, Service> =>
  Effect.map(ledger, (state) => vaultsIn(state, denomination).map(({ account }) => strkeyOf(account)))

/** The vault of an account; without one the test fails. */
export const vaultOf = (owner: Keypair, denomination: Denomination) =>
  Effect.map(ledger, (state) => {
    const own = strkeyOf(addressOf(owner.publicKey()))
    return vaultsIn(state, denomination).find(({ account }) => strkeyOf(account) === own) ?? assert.fail(`no vault in ${denomination}`)
  })

/** The payout of a vault on an exit, and its fee: half a per cent, rounded up. In stroops. */
export const settlementOf = (
  { totalCollateral }: { readonly totalCollateral: bigint }
): { readonly paid: bigint; readonly kept: bigint } => {
  const kept = (totalCollateral * 50_000n + 9_999_999n) / 10_000_000n
  return { kept, paid: totalCollateral - kept }
}

/** The vault below that an offered `pay_debt` names; null: none. */
export const namedBelow = ({ intent }: Offered): string | null => {
  const [operation] = intent.operations
  if (operation?.type !== "invoke_contract") return assert.fail("no contract call was offered")
  return /G[A-Z2-7]{55}/.exec(operation.args[0] ?? "")?.[0] ?? null
}

/** Stroops that a transaction on the ledger cost. */
export const feeOf = ({ hash }: Offered): Effect.Effect<bigint, never, Service> =>
  Effect.flatMap(
    Service,
    ({ sandbox }) =>
      Effect.map(
        sandbox.outcome(hash),
        (outcome) => (Option.isNone(outcome) ? assert.fail("it is not on the ledger") : outcome.value.applied.feeCharged)
      )
  )

/** A stranger opens a vault in USD of 25 lumens a unit: above the lowest of the market, below most others. Returns the owner. */
export const newNeighbour = (usd: Asset) =>
  Effect.gen(function*() {
    const owner = Keypair.random()
    yield* fund("10000", owner)
    yield* perform("somebody trusts it", { as: owner, operations: [Operation.changeTrust({ asset: usd })] })
    yield* openVault("somebody opens a vault", { owner, denomination: "USD", collateral: 5_000n, debt: 200n })
    return owner.publicKey()
  })

/** The owner of the lowest vault of a denomination pays its whole debt. */
export const lowestLeaves = (owner: Keypair, denomination: Denomination) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const vault = yield* vaultOf(owner, denomination)
    yield* callContract("the owner pays the debt", {
      as: owner,
      contract: vaultsContracts.vaults,
      fn: "pay_debt",
      args: [writeOptionalKey(null), writeKey(keyOfVault(vault)), writeOptionalKey(null), u128(vault.totalDebt)]
    }).pipe(Effect.provideService(Network, sandbox))
  })
