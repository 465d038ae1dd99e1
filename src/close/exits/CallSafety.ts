import { Address, StrKey, xdr } from "@stellar/stellar-sdk"
import type { StateChange } from "../../chain/contract-rpc/SimulationAnswer.ts"
import type { AccountAddress } from "../../domain/Address.ts"
import { type AssetId, native } from "../../domain/Asset.ts"
import { authorizationProblem, type ContractCall, type SubCall } from "../../operations/ContractCall.ts"
import { fromXdrAsset } from "../../operations/XdrAsset.ts"
import type { Credits } from "./Exits.ts"
import type { TokenAssets } from "./TokenAssets.ts"

const addressesIn = (value: xdr.ScVal): ReadonlyArray<string> => {
  switch (value.type) {
    case "scvAddress":
      return [Address.fromScAddress(value.address).toString()]
    case "scvVec":
      return (value.vec ?? []).flatMap(addressesIn)
    case "scvMap":
      return (value.map ?? []).flatMap(({ key, val }) => [...addressesIn(key), ...addressesIn(val)])
    default:
      return []
  }
}

/** Where a token call puts what it takes: the argument that names who receives, or may take. */
const receiverAt: Readonly<Record<string, number>> = { transfer: 1, transfer_from: 2, approve: 1 }

const receivers = (call: Pick<SubCall, "function" | "args" | "subCalls">): ReadonlyArray<string> => {
  const at = receiverAt[call.function]
  const arg = at === undefined ? undefined : call.args[at]
  return [...(arg === undefined ? [] : addressesIn(arg)), ...call.subCalls.flatMap(receivers)]
}

const argumentsOf = (call: Pick<SubCall, "args" | "subCalls">): ReadonlyArray<xdr.ScVal> => [...call.args, ...call.subCalls.flatMap(argumentsOf)]

/** Whom a call names that it should not: an account that it did not declare, or a receiver of tokens that is neither a recipient nor called. */
const strangers = (call: ContractCall, user: AccountAddress): ReadonlyArray<string> => {
  const receiving = new Set<string>([user, ...call.recipients])
  const named = new Set<string>([...receiving, ...(call.bystanders ?? [])])
  const accounts = argumentsOf(call).flatMap(addressesIn).filter((address) => !StrKey.isValidContract(address))
  return [
    ...accounts.filter((address) => !named.has(address)),
    ...receivers(call).filter((address) => !receiving.has(address) && address !== call.contract)
  ]
}

interface Moved {
  readonly owner: string
  readonly asset: AssetId
  readonly amount: bigint
}

const balanceOf = ({ data }: xdr.LedgerEntry): Moved | null => {
  if (data.type === "account") {
    return { owner: StrKey.encodeEd25519PublicKey(data.account.accountId.ed25519.value), asset: native, amount: data.account.balance }
  }
  if (data.type !== "trustline") return null
  const { accountId, asset, balance } = data.trustLine
  const owner = StrKey.encodeEd25519PublicKey(accountId.ed25519.value)
  switch (asset.type) {
    case "assetTypeCreditAlphanum4":
      return { owner, asset: fromXdrAsset(xdr.Asset.assetTypeCreditAlphanum4(asset.alphaNum4)), amount: balance }
    case "assetTypeCreditAlphanum12":
      return { owner, asset: fromXdrAsset(xdr.Asset.assetTypeCreditAlphanum12(asset.alphaNum12)), amount: balance }
    default:
      return null
  }
}

/** What a call moves on accounts and trustlines, by owner. */
export const movesOf = (changes: ReadonlyArray<StateChange>): ReadonlyArray<Moved> =>
  changes.flatMap(({ after, before }) => {
    const [was, is] = [before === null ? null : balanceOf(before), after === null ? null : balanceOf(after)]
    const either = is ?? was
    const amount = (is?.amount ?? 0n) - (was?.amount ?? 0n)
    return either === null || amount === 0n ? [] : [{ ...either, amount }]
  })

/** What a call does to one account. */
export const creditsOf = (changes: ReadonlyArray<StateChange>, user: AccountAddress): Credits => {
  const credits = new Map<AssetId, bigint>()
  for (const { amount, asset, owner } of movesOf(changes)) {
    if (owner === user) credits.set(asset, (credits.get(asset) ?? 0n) + amount)
  }
  return credits
}

/** What a call may take of each asset: what it declared to need. */
const allowance = ({ holds }: ContractCall, assets: TokenAssets): ReadonlyMap<AssetId, bigint> => {
  const most = new Map<AssetId, bigint>()
  for (const { amount, token } of holds) {
    const asset = assets.get(token)
    if (asset !== undefined) most.set(asset, (most.get(asset) ?? 0n) + amount)
  }
  return most
}

const effectProblem = (call: ContractCall, user: AccountAddress, changes: ReadonlyArray<StateChange>, assets: TokenAssets): string | null => {
  const others = new Set<string>([user, ...call.recipients])
  const paid = movesOf(changes).find(({ amount, owner }) => amount > 0n && !others.has(owner))
  if (paid !== undefined) return `it would pay ${paid.asset} to ${paid.owner}, who was not named`
  const most = allowance(call, assets)
  const taken = [...creditsOf(changes, user)].find(([asset, amount]) => amount < 0n && -amount > (most.get(asset) ?? 0n))
  return taken === undefined ? null : `it would take more ${taken[0]} than it declared to need`
}

/**
 * Why a simulated call must not be signed, or null: what it asks to authorise is exactly what its exit declared, it names no stranger,
 * and on the ledger it was simulated on it pays nobody else and takes no more than declared.
 */
export const callProblem = (
  call: ContractCall,
  user: AccountAddress,
  auth: ReadonlyArray<xdr.SorobanAuthorizationEntry>,
  changes: ReadonlyArray<StateChange>,
  assets: TokenAssets
): string | null => {
  const [stranger] = strangers(call, user)
  if (stranger !== undefined) return `it names ${stranger}, who is no recipient of this exit`
  return authorizationProblem(call, user, auth) ?? effectProblem(call, user, changes, assets)
}
