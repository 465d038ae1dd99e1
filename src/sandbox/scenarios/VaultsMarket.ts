import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../ledger/Asset.ts"
import { addressOf, addressVal, symbol, u128 } from "../../ledger/soroban/Values.ts"
import { indexOf, keyOfVault, writeOptionalKey } from "../contracts/Cdp1.ts"
import { Network } from "../Network.ts"
import { accountVal, callContract } from "./CallContract.ts"
import { fund, perform } from "./Scenario.ts"
import { vaultsContracts } from "./VaultsContracts.ts"
import { type Denomination, withVaults } from "./VaultsEntries.ts"
import { vaultsIn } from "./VaultsList.ts"

/** A vault to open: whole lumens of collateral, of which half a percent is kept back, and whole units of debt. */
export interface NewVault {
  readonly owner: Keypair
  readonly denomination: Denomination
  readonly collateral: bigint
  readonly debt: bigint
}

/** Opens a vault in its place in the list, as of the newest ledger. */
export const openVault = Effect.fnUntraced(function*(step: string, { collateral, debt, denomination, owner }: NewVault) {
  const { state } = yield* (yield* Network).snapshot
  const [units, owed] = [collateral * lumen, debt * lumen]
  const index = indexOf(units - units / 200n, owed)
  const below = vaultsIn(state, denomination).findLast((vault) => vault.index < index)
  yield* callContract(step, {
    as: owner,
    contract: vaultsContracts.vaults,
    fn: "new_vault",
    args: [
      writeOptionalKey(below === undefined ? null : keyOfVault(below)),
      accountVal(owner),
      u128(owed),
      u128(units),
      symbol(denomination)
    ]
  })
})

/** Collateral of the others' vaults for 200 units of debt, in lumens: one below, two above what most would open. */
const others = [4_000n, 8_000n, 12_000n] as const

/** Two assets that vaults lend, of one issuer. */
export interface Stablecoins {
  readonly issuer: Keypair
  readonly usd: Asset
  readonly eur: Asset
}

/**
 * Vaults that lend two assets against lumens: in each of the two lists stand the vaults of three owners and, at the upper end, that of a
 * maker who trades what it owes against lumens. One to a network: its contracts are always in the same place.
 */
export const VaultsMarketOf = Effect.fnUntraced(function*({ eur, issuer, usd }: Stablecoins) {
  const network = yield* Network
  const [treasury, maker] = [Keypair.random(), Keypair.random()]
  const owners = others.map(() => Keypair.random())
  yield* fund("100", treasury)
  yield* fund("2000000", maker)
  yield* fund("50000", ...owners)
  const assets = { stablecoins: { USD: usd, EUR: eur }, issuer: addressOf(issuer.publicKey()), treasury: addressOf(treasury.publicKey()) }
  yield* network.amend((state) => withVaults(state, assets, network.passphrase))
  for (const asset of [usd, eur]) {
    yield* callContract("the issuer lets the vaults contract mint", {
      as: issuer,
      contract: addressOf(asset.contractId(network.passphrase)),
      fn: "set_admin",
      args: [addressVal(vaultsContracts.vaults)]
    })
  }
  for (const owner of [...owners, maker]) {
    yield* perform("an owner trusts what vaults lend", {
      as: owner,
      operations: [usd, eur].map((asset) => Operation.changeTrust({ asset }))
    })
  }
  for (const denomination of ["USD", "EUR"] as const) {
    for (const [place, owner] of owners.entries()) {
      yield* openVault("an owner opens a vault", { owner, denomination, collateral: others[place] ?? 0n, debt: 200n })
    }
    yield* openVault("the maker opens a vault", { owner: maker, denomination, collateral: 800_000n, debt: 10_000n })
  }
  yield* perform("the maker makes markets", {
    as: maker,
    operations: [usd, eur].flatMap((asset) => [
      Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "50000", price: "0.1" }),
      Operation.manageSellOffer({ selling: asset, buying: Asset.native(), amount: "4000", price: "12" })
    ])
  })
  return { ...vaultsContracts, issuer, treasury, maker, owners, usd, eur }
})

/** The same with assets of its own, USDx and EURx. */
export const VaultsMarket = Effect.gen(function*() {
  const issuer = Keypair.random()
  yield* fund("100", issuer)
  return yield* VaultsMarketOf({ issuer, usd: new Asset("USDx", issuer.publicKey()), eur: new Asset("EURx", issuer.publicKey()) })
})
