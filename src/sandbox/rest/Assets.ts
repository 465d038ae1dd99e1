import { HttpRouter } from "@effect/platform"
import { Asset, StrKey, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { objectMemo } from "../../fibers/ObjectMemo.ts"
import { heldAsset } from "../../ledger/Asset.ts"
import { AccountFlag } from "../../ledger/entries/Account.ts"
import { isAuthorized, TrustlineFlag } from "../../ledger/entries/Trustline.ts"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { asI128, asString, asSymbol, field, lookup, strkeyOf, symbol } from "../../ledger/soroban/Values.ts"
import { type AssetParts, assetParts } from "../AssetName.ts"
import { showAmount } from "../DecimalAmount.ts"
import { indexOf, type LedgerIndex } from "../LedgerIndex.ts"
import { page, textKey } from "./Page.ts"
import { Problem } from "./Problem.ts"
import { query } from "./Query.ts"
import { View } from "./View.ts"

/** What contracts hold of one asset. */
interface ContractHolding {
  readonly asset: xdr.Asset
  readonly contracts: number
  /** Stroops. */
  readonly amount: bigint
}

/** The issued asset that an instance is the contract of; null for any other entry. */
const contractAsset = ({ val }: xdr.ContractDataEntry): xdr.Asset | null => {
  if (val.type !== "scvContractInstance" || val.instance.executable.type !== "contractExecutableStellarAsset") return null
  const metadata = (val.instance.storage ?? []).find(({ key }) => key.type === "scvSymbol" && asSymbol(key) === "METADATA")?.val
  const [code = "", issuer] = metadata === undefined ? [] : asString(field(metadata, "name")).split(":")
  return issuer === undefined ? null : new Asset(code, issuer).toXdrObject()
}

const isBalance = ({ key }: xdr.ContractDataEntry): boolean =>
  key.type === "scvVec" && key.vec?.length === 2 && key.vec[0]?.type === "scvSymbol" && asSymbol(key.vec[0]) === "Balance"

/** What an entry of a contract says of issued assets. */
type AssetFact =
  | { readonly _tag: "AssetContract"; readonly contract: string; readonly asset: xdr.Asset }
  | { readonly _tag: "ContractBalance"; readonly contract: string; readonly amount: bigint }
  | { readonly _tag: "Other" }

const read = (entry: xdr.ContractDataEntry): AssetFact => {
  const asset = contractAsset(entry)
  if (asset !== null) return { _tag: "AssetContract", contract: strkeyOf(entry.contract), asset }
  const amount = isBalance(entry) && entry.val.type === "scvMap" ? lookup(entry.val, symbol("amount")) : undefined
  return amount?.type !== "scvI128"
    ? { _tag: "Other" }
    : { _tag: "ContractBalance", contract: strkeyOf(entry.contract), amount: asI128(amount) }
}

/** Entries never change, and each ledger has most of those before it: each is read once. */
const factIn = objectMemo(read)

/** Balances that the contracts of issued assets keep: those of contracts, for accounts have trustlines. */
const contractHoldings = (state: LedgerState): ReadonlyArray<ContractHolding> => {
  const held = new Map<string, { readonly asset: xdr.Asset; contracts: number; amount: bigint }>()
  const balances: Array<Extract<AssetFact, { readonly _tag: "ContractBalance" }>> = []
  for (const { data } of state.entries()) {
    const fact = data.type === "contractData" ? factIn(data.contractData) : null
    if (fact?._tag === "AssetContract") held.set(fact.contract, { asset: fact.asset, contracts: 0, amount: 0n })
    if (fact?._tag === "ContractBalance") balances.push(fact)
  }
  for (const { amount, contract } of balances) {
    const one = held.get(contract)
    if (one === undefined) continue
    one.contracts += 1
    one.amount += amount
  }
  return [...held.values()].filter(({ contracts }) => contracts > 0)
}

const authorizationLevels = ["authorized", "authorized_to_maintain_liabilities", "unauthorized"] as const
type AuthorizationLevel = (typeof authorizationLevels)[number]

interface Tally {
  readonly parts: AssetParts
  readonly accounts: Record<AuthorizationLevel, number>
  readonly balances: Record<AuthorizationLevel, bigint>
  claimableBalances: number
  claimableAmount: bigint
  pools: number
  poolAmount: bigint
  contracts: number
  contractAmount: bigint
}

const authorizationLevel = (line: xdr.TrustLineEntry): AuthorizationLevel => {
  if (isAuthorized(line)) return "authorized"
  return (line.flags & TrustlineFlag.maintainLiabilities) !== 0 ? "authorized_to_maintain_liabilities" : "unauthorized"
}

const tokenOf = (parts: AssetParts): string => `${parts.asset_code}_${parts.asset_issuer}_${parts.asset_type}`

/** Of each line, made once: each ledger has most of the lines of those before it. */
const assetOf = objectMemo((line: xdr.TrustLineEntry): xdr.Asset => heldAsset(line.asset))

/** Every issued asset that is held by accounts or contracts, claimable or pooled, with what is out. */
const tallies = (state: LedgerState, index: LedgerIndex): ReadonlyMap<string, Tally> => {
  const found = new Map<string, Tally>()
  const tally = (asset: xdr.Asset): Tally | undefined => {
    const parts = assetParts(asset)
    if (parts.asset_type === "native") return undefined
    const known = found.get(tokenOf(parts))
    if (known !== undefined) return known
    const fresh: Tally = {
      parts,
      accounts: { authorized: 0, authorized_to_maintain_liabilities: 0, unauthorized: 0 },
      balances: { authorized: 0n, authorized_to_maintain_liabilities: 0n, unauthorized: 0n },
      claimableBalances: 0,
      claimableAmount: 0n,
      pools: 0,
      poolAmount: 0n,
      contracts: 0,
      contractAmount: 0n
    }
    found.set(tokenOf(parts), fresh)
    return fresh
  }
  for (const { body } of [...index.trustlines.values()].flat()) {
    if (body.asset.type === "assetTypePoolShare") continue
    const one = tally(assetOf(body))
    if (one === undefined) continue
    one.accounts[authorizationLevel(body)] += 1
    one.balances[authorizationLevel(body)] += body.balance
  }
  for (const { body } of index.claimableBalances) {
    const one = tally(body.asset)
    if (one === undefined) continue
    one.claimableBalances += 1
    one.claimableAmount += body.amount
  }
  for (const { body } of index.pools) {
    const { params, reserveA, reserveB } = body.body.constantProduct
    for (const [asset, amount] of [[params.assetA, reserveA], [params.assetB, reserveB]] as const) {
      const one = tally(asset)
      if (one === undefined) continue
      one.pools += 1
      one.poolAmount += amount
    }
  }
  for (const { amount, asset, contracts } of contractHoldings(state)) {
    const one = tally(asset)
    if (one === undefined) continue
    one.contracts += contracts
    one.contractAmount += amount
  }
  return found
}

const assetResource = (index: LedgerIndex, tally: Tally) => {
  const issuer = index.accounts.get(tally.parts.asset_issuer ?? "")
  const flags = issuer?.body.flags ?? 0
  const domain = issuer?.body.homeDomain.toString().trim() ?? ""
  const { authorized, authorized_to_maintain_liabilities, unauthorized } = tally.balances
  return {
    _links: { toml: { href: domain === "" ? "" : `https://${domain}/.well-known/stellar.toml` } },
    ...tally.parts,
    accounts: tally.accounts,
    num_claimable_balances: tally.claimableBalances,
    num_liquidity_pools: tally.pools,
    num_contracts: tally.contracts,
    balances: {
      authorized: showAmount(authorized),
      authorized_to_maintain_liabilities: showAmount(authorized_to_maintain_liabilities),
      unauthorized: showAmount(unauthorized)
    },
    claimable_balances_amount: showAmount(tally.claimableAmount),
    liquidity_pools_amount: showAmount(tally.poolAmount),
    contracts_amount: showAmount(tally.contractAmount),
    flags: {
      auth_required: (flags & AccountFlag.authRequired) !== 0,
      auth_revocable: (flags & AccountFlag.authRevocable) !== 0,
      auth_immutable: (flags & AccountFlag.authImmutable) !== 0,
      auth_clawback_enabled: (flags & AccountFlag.clawbackEnabled) !== 0
    }
  }
}

/** `GET /assets`, by code, issuer or both. */
export const assets = HttpRouter.makeRoute(
  "GET",
  "/assets",
  Effect.gen(function*() {
    const { get } = yield* query
    const [code, issuer] = [get("asset_code"), get("asset_issuer")]
    if (code !== undefined && !/^[A-Za-z0-9]{1,12}$/.test(code)) {
      return yield* Problem.invalidField("asset_code", `${code} is not a valid asset code`)
    }
    if (issuer !== undefined && !StrKey.isValidEd25519PublicKey(issuer)) {
      return yield* Problem.invalidField("asset_issuer", `${issuer} is not a valid asset issuer`)
    }
    const { state } = yield* View
    const index = indexOf(state)
    return yield* page({
      ...textKey,
      readKey: (token) => (/^[A-Za-z0-9]{1,12}_G[A-Z2-7]{55}_credit_alphanum(4|12)$/.test(token) ? token : undefined),
      items: Array.from(tallies(state, index).values()).filter(
        ({ parts }) => (code === undefined || parts.asset_code === code) && (issuer === undefined || parts.asset_issuer === issuer)
      ),
      keyOf: ({ parts }) => tokenOf(parts),
      render: (tally) => assetResource(index, tally)
    })
  })
)
