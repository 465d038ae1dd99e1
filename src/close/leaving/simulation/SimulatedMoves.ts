import { Address, type xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { StateChange } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { ContractAddress } from "../../../domain/Address.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { fieldOf } from "../../../stellar/AllowanceKeys.ts"
import { assetIdOf } from "../../../stellar/Assets.ts"
import { addressOf } from "../../../stellar/Names.ts"
import { i128, variantIn } from "../../../stellar/ScValCodec.ts"
import type { Credits } from "../../situation/Exits.ts"

/** So much of something that someone, an account or a contract, holds more than before; negative: less. Base units. */
export interface BalanceChange<Thing> {
  readonly owner: string
  readonly thing: Thing
  readonly amount: bigint
}

const assetBalance = ({ data }: xdr.LedgerEntry): BalanceChange<AssetId> | null => {
  if (data.type === "account") {
    return { owner: addressOf(data.account.accountId), thing: native, amount: data.account.balance }
  }
  if (data.type !== "trustline") return null
  const { accountId, asset, balance } = data.trustLine
  const thing = assetIdOf(asset)
  return thing === null ? null : { owner: addressOf(accountId), thing, amount: balance }
}

/** A plain amount, or one among other facts about the holder, as contracts of assets keep it for contracts. */
const amountIn = (value: xdr.ScVal): bigint | null => Either.getOrNull(i128.decode(fieldOf(value, "amount") ?? value))

const tokenBalance = ({ data }: xdr.LedgerEntry): BalanceChange<ContractAddress> | null => {
  if (data.type !== "contractData") return null
  const holder = variantIn(data.contractData.key, "Balance")
  const amount = amountIn(data.contractData.val)
  if (holder?.type !== "scvAddress" || amount === null) return null
  return {
    owner: Address.fromScAddress(holder.address).toString(),
    thing: ContractAddress.make(Address.fromScAddress(data.contractData.contract).toString()),
    amount
  }
}

const moves =
  <Thing>(read: (entry: xdr.LedgerEntry) => BalanceChange<Thing> | null) =>
  (changes: ReadonlyArray<StateChange>): ReadonlyArray<BalanceChange<Thing>> =>
    changes.flatMap(({ after, before }) => {
      const [was, is] = [before === null ? null : read(before), after === null ? null : read(after)]
      const either = is ?? was
      const amount = (is?.amount ?? 0n) - (was?.amount ?? 0n)
      return either === null || amount === 0n ? [] : [{ ...either, amount }]
    })

/** What a call moves on accounts and trustlines. */
export const assetMoves = moves(assetBalance)

/** What a call moves of tokens that keep their balances as the common family does, under `Balance(holder)`. */
export const tokenMoves = moves(tokenBalance)

/** What a call does to the lumens and trustlines of one account. */
export const creditsOf = (changes: ReadonlyArray<StateChange>, user: AccountAddress): Credits => {
  const credits = new Map<AssetId, bigint>()
  for (const { amount, owner, thing } of assetMoves(changes)) {
    if (owner === user) credits.set(thing, (credits.get(thing) ?? 0n) + amount)
  }
  return credits
}
