import { BigInt as Big } from "effect"
import type { AccountAddress, ContractAddress } from "../../../domain/Address.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import type { LedgerState } from "../../../ledger/LedgerState.ts"
import { assetContract } from "../../../stellar/AssetTokens.ts"
import { holdingsIn, sellingLiabilitiesIn, spendable } from "../../situation/Holdings.ts"
import type { TokenAssets } from "../../situation/TokenAssets.ts"

export interface TokenHoldings {
  readonly ledgerState: LedgerState
  readonly source: AccountAddress
  readonly passphrase: string
  readonly assets: TokenAssets
  /** Of contract tokens, base units. */
  readonly balances: ReadonlyMap<ContractAddress, bigint>
  /** Stroops kept back for what calls cost. */
  readonly feeReserve: bigint
  /** Stroops by which the ledger API knows less of an asset than the contract RPC: the smaller balance counts. */
  readonly less: (asset: AssetId) => bigint
}

/** What the account can spend of a token now: without reserves, fees and what its offers hold. Base units; never negative. */
export const spendableIn = (
  { assets, balances, feeReserve, less, passphrase, source, ledgerState }: TokenHoldings
): (token: ContractAddress) => bigint => {
  const holdings = holdingsIn(ledgerState, source)
  const held = new Map<AssetId, bigint>(
    holdings?.trustlines.filter(({ authorized }) => authorized)
      .map(({ asset, balance }) => [asset, balance - sellingLiabilitiesIn(ledgerState, source, asset) - less(asset)])
  )
  if (holdings !== null) held.set(native, spendable(holdings.account, ledgerState.header.baseReserve) - feeReserve - less(native))
  const byToken = new Map<string, AssetId>([...held.keys()].map((asset) => [assetContract(asset, passphrase), asset]))
  return (token) => {
    const asset = assets.get(token) ?? byToken.get(token)
    const amount = asset === undefined ? balances.get(token) ?? 0n : held.get(asset) ?? 0n
    return Big.max(amount, 0n)
  }
}
