import type { xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress } from "../../../domain/Address.ts"
import { ContractAddress } from "../../../domain/Address.ts"
import { type AssetId, native } from "../../../domain/Asset.ts"
import { assetIdOf } from "../../../stellar/Assets.ts"
import { addressOf } from "../../../stellar/Names.ts"
import { nameOfAddress } from "../../../stellar/ScAddresses.ts"
import { variantIn } from "../../../stellar/ScValCodec.ts"
import { storedAmount } from "../../../stellar/StoredAmount.ts"
import type { Credits } from "../../situation/CallSimulation.ts"

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

/** A balance of a token under `Balance(holder)`, base units; `amount`: null where its form is not known. */
const storedBalance = (
  { data }: xdr.LedgerEntry
): { readonly owner: string; readonly thing: string; readonly amount: bigint | null } | null => {
  if (data.type !== "contractData") return null
  const holder = variantIn(data.contractData.key, "Balance")
  if (holder?.type !== "scvAddress") return null
  return {
    owner: nameOfAddress(holder.address),
    thing: nameOfAddress(data.contractData.contract),
    amount: storedAmount(data.contractData.val)
  }
}

const tokenBalance = (entry: xdr.LedgerEntry): BalanceChange<ContractAddress> | null => {
  const found = storedBalance(entry)
  return found === null || found.amount === null
    ? null
    : { owner: found.owner, thing: ContractAddress.make(found.thing), amount: found.amount }
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

const valueOf = (entry: xdr.LedgerEntry | null): string | null =>
  entry?.data.type === "contractData" ? entry.data.contractData.val.toXdr("base64") : null

/** A contract in which a call changes a `Balance(user)` entry of an unknown form, so that what it moves is not known; null: there is none. */
export const unreadBalance = (changes: ReadonlyArray<StateChange>, user: AccountAddress): string | null => {
  for (const { after, before } of changes) {
    const balances = [before, after].flatMap((entry) => (entry === null ? [] : storedBalance(entry) ?? []))
    const unread = balances.find(({ amount, owner }) => owner === user && amount === null)
    if (unread !== undefined && valueOf(before) !== valueOf(after)) return unread.thing
  }
  return null
}

/** What a call does to the lumens and trustlines of one account. */
export const creditsOf = (changes: ReadonlyArray<StateChange>, user: AccountAddress): Credits => {
  const credits = new Map<AssetId, bigint>()
  for (const { amount, owner, thing } of assetMoves(changes)) {
    if (owner === user) credits.set(thing, (credits.get(thing) ?? 0n) + amount)
  }
  return credits
}
