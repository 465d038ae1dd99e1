import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { State } from "../../../ledger/State.ts"
import { holdingsIn, sellingLiabilitiesIn, spendable } from "../../model/Holdings.ts"
import { type TokenAssets, tokenOf } from "../../model/TokenAssets.ts"

export interface TokenHoldings {
  readonly world: State
  readonly source: AccountAddress
  readonly passphrase: string
  readonly assets: TokenAssets
  /** Of contract tokens, base units. */
  readonly balances: ReadonlyMap<ContractAddress, bigint>
  /** Stroops kept back for the fee of the call itself. */
  readonly feeReserve: bigint
  /** Stroops by which the ledger API knows less of an asset than the contract RPC: the smaller balance counts. */
  readonly less: (asset: AssetId) => bigint
}

/** What the account can spend of a token now: without reserves, fees and what its offers hold. Base units; never negative. */
export const spendableIn = ({ assets, balances, feeReserve, less, passphrase, source, world }: TokenHoldings): (token: ContractAddress) => bigint => {
  const holdings = holdingsIn(world, source)
  const held = new Map<AssetId, bigint>(holdings?.lines.filter(({ authorized }) => authorized)
    .map(({ asset, balance }) => [asset, balance - sellingLiabilitiesIn(world, source, asset) - less(asset)]))
  if (holdings !== null) held.set(native, spendable(holdings.account, world.header.baseReserve) - feeReserve - less(native))
  const byToken = new Map<string, AssetId>([...held.keys()].map((asset) => [tokenOf(asset, passphrase), asset]))
  return (token) => {
    const asset = assets.get(token) ?? byToken.get(token)
    const amount = asset === undefined ? balances.get(token) ?? 0n : held.get(asset) ?? 0n
    return amount > 0n ? amount : 0n
  }
}
