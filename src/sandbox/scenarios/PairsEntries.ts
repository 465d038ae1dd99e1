import { xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../ledger/LedgerState.ts"
import { sha256 } from "../../ledger/Signatures.ts"
import { addressOf, addressVal, asU32, bytes, i128, lookup, string, u32 } from "../../ledger/soroban/Values.ts"
import { keyOfInstance } from "../../xdr/LedgerKeys.ts"
import {
  factoryInstanceKeys,
  minimumLiquidity,
  pairAddress,
  pairByIndexKey,
  pairByTokensKey,
  pairCodeKey,
  pairFactoryHash,
  pairHash,
  pairInstanceKeys,
  pairRouterHash,
  routerFactoryKey,
  shareStorage,
  sortedTokens
} from "../contracts/Amm2.ts"
import { codeEntries, contractEntries, dataEntries } from "../contracts/Deployment.ts"
import { exampleTokenHash, exampleTokenTraits } from "../contracts/ExampleToken.ts"
import { tokenBalanceKey, tokenStorage } from "../contracts/Token.ts"
import { numberedToken, pairsContracts } from "./PairsContracts.ts"

const { factory, plainToken, router } = pairsContracts

/** Ledgers everything deployed lives without being used. */
const life = 2_000_000

const plainDecimals = 6

const tokenEntries = (token: xdr.ScAddress, code: string, admin: xdr.ScAddress, until: number) =>
  contractEntries(
    token,
    exampleTokenHash,
    tokenStorage(exampleTokenTraits, { admin, decimals: plainDecimals, name: string(`Plain ${code}`), symbol: string(code) }),
    until
  )

const factoryEntries = (setter: xdr.ScAddress, totalPairs: number, until: number) =>
  contractEntries(factory, pairFactoryHash, [
    [factoryInstanceKeys.feeTo, addressVal(setter)],
    [factoryInstanceKeys.feeToSetter, addressVal(setter)],
    [factoryInstanceKeys.totalPairs, u32(totalPairs)]
  ], until)

/**
 * A ledger with amm_2 deployed: a factory without pairs, its router, and a token that is no asset (PLN,
 * six decimals, which `setter` may mint). `setter` says whether a part of the fees goes to the factory, and to whom.
 */
export const withPairFactory = (
  state: LedgerState,
  setter: xdr.ScAddress
): LedgerState => {
  const until = state.header.ledgerSeq + life
  return state.set([
    ...factoryEntries(setter, 0, until),
    ...dataEntries(factory, [pairCodeKey, bytes(Buffer.from(pairHash, "hex"))], "persistent", until),
    ...codeEntries(pairHash, until),
    ...contractEntries(router, pairRouterHash, [[routerFactoryKey, addressVal(factory)]], until),
    ...tokenEntries(plainToken, "PLN", setter, until)
  ])
}

/** How many pairs the factory has made, and who settles its fees. */
const factoryOf = (state: LedgerState): { readonly made: number; readonly setter: xdr.ScAddress } => {
  const entry = state.get(keyOfInstance(factory))
  const data = entry?.data.type === "contractData" ? entry.data.contractData.val : undefined
  const storage = xdr.ScVal.scvMap(data?.type === "scvContractInstance" ? (data.instance.storage ?? []) : [])
  const setter = lookup(storage, factoryInstanceKeys.feeToSetter)
  const made = lookup(storage, factoryInstanceKeys.totalPairs)
  return { made: made === undefined ? 0 : asU32(made), setter: setter?.type === "scvAddress" ? setter.address : router }
}

/** Pairs of plain tokens made in one go: what each has of both tokens and in shares, and who holds how many of those. */
export interface ManyPairs {
  readonly count: number
  readonly reserves: readonly [bigint, bigint]
  readonly supply: bigint
  readonly holder: string
  readonly shares: bigint
}

/** A ledger on which the factory has made so many more pairs, without a transaction for each. Where they are, in the factory's order, comes with it. */
export const withManyPairs = (state: LedgerState, passphrase: string, { count, holder, reserves, shares, supply }: ManyPairs) => {
  const until = state.header.ledgerSeq + life
  const networkId = sha256(Buffer.from(passphrase))
  const { made, setter } = factoryOf(state)
  const pairs = Array.from({ length: count }, (_, at) => {
    const numbers = [2 * (made + at), 2 * (made + at) + 1] as const
    const tokens = sortedTokens(numberedToken(numbers[0]), numberedToken(numbers[1]), () => {
      throw new Error("two tokens of one number")
    })
    return { at: made + at, tokens, pair: pairAddress(factory, tokens, networkId) }
  })
  const entries = pairs.flatMap(({ at, pair, tokens }) => [
    ...tokens.flatMap((token, side) => [
      ...tokenEntries(token, `T${at}${side === 0 ? "A" : "B"}`, setter, until),
      ...dataEntries(token, [tokenBalanceKey(pair), i128(reserves[side] ?? 0n)], "persistent", until)
    ]),
    ...contractEntries(pair, pairHash, [
      ...pairInstanceKeys.tokens.map((key, side) => [key, addressVal(tokens[side] ?? pair)] as const),
      ...pairInstanceKeys.reserves.map((key, side) => [key, i128(reserves[side] ?? 0n)] as const),
      [pairInstanceKeys.factory, addressVal(factory)],
      ...shareStorage([Buffer.from(`T${at}A`), Buffer.from(`T${at}B`)], supply)
    ], until),
    ...dataEntries(pair, [tokenBalanceKey(pair), i128(minimumLiquidity)], "persistent", until),
    ...dataEntries(pair, [tokenBalanceKey(addressOf(holder)), i128(shares)], "persistent", until),
    ...dataEntries(factory, [pairByIndexKey(at), addressVal(pair)], "persistent", until),
    ...dataEntries(factory, [pairByTokensKey(tokens), addressVal(pair)], "persistent", until)
  ])
  return { state: state.set([...entries, ...factoryEntries(setter, made + count, until)]), pairs: pairs.map(({ pair }) => pair) }
}
