import type { xdr } from "@stellar/stellar-sdk"
import { ledgersPerDay } from "../../../ledger/Header.ts"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, asAddress, asBytes, asU32, bool, bytes, string, struct, symbol, u32, voidVal } from "../../../ledger/soroban/Values.ts"
import { factoryInstanceKeys, pairByIndexKey, pairByTokensKey, pairCodeKey } from "./FactoryKeys.ts"
import { keepInstance } from "./InstanceLife.ts"
import { pairSalt } from "./PairAddress.ts"
import { type SortedTokens, sortedTokens } from "./SortedTokens.ts"

/** Error numbers of the factory of pairs that its model ends calls with. */
const FactoryError = {
  notInitialized: 201,
  identicalTokens: 202,
  pairExists: 203,
  alreadyInitialized: 204,
  noPair: 205,
  noIndex: 206
} as const

/** Hash of the factory's code, as deployed. */
export const pairFactoryHash = "5db738b05d9148128a240b0e2c1cb935c2805192bf98a579421aacda364c8dae"

const entryLife = 60 * ledgersPerDay

const begin = (host: ContractHost): void => {
  if (!host.instance.has(factoryInstanceKeys.totalPairs)) host.fail(FactoryError.notInitialized)
  keepInstance(host)
}

const keep = (host: ContractHost, key: xdr.ScVal): void => host.persistent.extend(key, entryLife - ledgersPerDay, entryLife)

const kept = (host: ContractHost, key: xdr.ScVal, error: number): xdr.ScVal => {
  const value = host.persistent.get(key) ?? host.fail(error)
  keep(host, key)
  return value
}

const put = (host: ContractHost, key: xdr.ScVal, value: xdr.ScVal): void => {
  host.persistent.set(key, value)
  keep(host, key)
}

const inInstance = (host: ContractHost, key: xdr.ScVal): xdr.ScVal => host.instance.get(key) ?? host.trap()

const totalPairs = (host: ContractHost): number => asU32(inInstance(host, factoryInstanceKeys.totalPairs))

const sorted = (host: ContractHost, left: xdr.ScAddress, right: xdr.ScAddress): SortedTokens =>
  sortedTokens(left, right, () => host.fail(FactoryError.identicalTokens))

const exists = (host: ContractHost, tokens: SortedTokens): boolean => {
  const key = pairByTokensKey(tokens)
  if (!host.persistent.has(key)) return false
  keep(host, key)
  return true
}

const tell = (host: ContractHost, kind: string, fields: Readonly<Record<string, xdr.ScVal>>): void =>
  host.emit([string("SoroswapFactory"), symbol(kind)], struct(fields))

const settled = (host: ContractHost, key: xdr.ScVal) => {
  begin(host)
  const setter = asAddress(inInstance(host, factoryInstanceKeys.feeToSetter))
  const old = host.instance.get(key)
  host.requireAuth(setter)
  return { setter, old: old ?? voidVal }
}

/** Makes pairs of tokens, lists them, and says whether and to whom a part of their fees goes. */
export const pairFactory: ContractModel = {
  functions: {
    initialize: contractFunction(["address", "bytes"], (host, [setter, pairCode]) => {
      if (host.instance.has(factoryInstanceKeys.totalPairs)) host.fail(FactoryError.alreadyInitialized)
      host.instance.set(factoryInstanceKeys.feeToSetter, addressVal(setter))
      host.instance.set(factoryInstanceKeys.feeTo, addressVal(setter))
      put(host, pairCodeKey, bytes(pairCode))
      host.instance.set(factoryInstanceKeys.totalPairs, u32(0))
      tell(host, "init", { setter: addressVal(setter) })
      keepInstance(host)
      return voidVal
    }),
    create_pair: contractFunction(["address", "address"], (host, [left, right]) => {
      begin(host)
      const tokens = sorted(host, left, right)
      if (exists(host, tokens)) host.fail(FactoryError.pairExists)
      const pair = host.deploy(pairSalt(tokens), asBytes(kept(host, pairCodeKey, FactoryError.notInitialized)))
      const [first, second] = tokens
      host.call(pair, "initialize", addressVal(host.address), addressVal(first), addressVal(second))
      const index = totalPairs(host)
      put(host, pairByTokensKey(tokens), addressVal(pair))
      put(host, pairByIndexKey(index), addressVal(pair))
      host.instance.set(factoryInstanceKeys.totalPairs, u32(index + 1))
      tell(host, "new_pair", {
        token_0: addressVal(first),
        token_1: addressVal(second),
        pair: addressVal(pair),
        new_pairs_length: u32(index + 1)
      })
      return addressVal(pair)
    }),
    set_fee_to: contractFunction(["address"], (host, [to]) => {
      const { old, setter } = settled(host, factoryInstanceKeys.feeTo)
      host.instance.set(factoryInstanceKeys.feeTo, addressVal(to))
      tell(host, "fee_to", { setter: addressVal(setter), old, new: addressVal(to) })
      return voidVal
    }),
    set_fee_to_setter: contractFunction(["address"], (host, [to]) => {
      const { old } = settled(host, factoryInstanceKeys.feeToSetter)
      host.instance.set(factoryInstanceKeys.feeToSetter, addressVal(to))
      tell(host, "setter", { old, new: addressVal(to) })
      return voidVal
    }),
    set_fees_enabled: contractFunction(["bool"], (host, [enabled]) => {
      settled(host, factoryInstanceKeys.feesEnabled)
      host.instance.set(factoryInstanceKeys.feesEnabled, bool(enabled))
      tell(host, "fees", { fees_enabled: bool(enabled) })
      return voidVal
    }),
    fee_to: contractFunction([], (host) => {
      begin(host)
      return inInstance(host, factoryInstanceKeys.feeTo)
    }),
    fee_to_setter: contractFunction([], (host) => {
      begin(host)
      return inInstance(host, factoryInstanceKeys.feeToSetter)
    }),
    fees_enabled: contractFunction([], (host) => {
      begin(host)
      return host.instance.get(factoryInstanceKeys.feesEnabled) ?? bool(false)
    }),
    all_pairs_length: contractFunction([], (host) => {
      begin(host)
      return u32(totalPairs(host))
    }),
    all_pairs: contractFunction(["u32"], (host, [index]) => {
      begin(host)
      return kept(host, pairByIndexKey(index), FactoryError.noIndex)
    }),
    get_pair: contractFunction(["address", "address"], (host, [left, right]) => {
      begin(host)
      return kept(host, pairByTokensKey(sorted(host, left, right)), FactoryError.noPair)
    }),
    pair_exists: contractFunction(["address", "address"], (host, [left, right]) => {
      begin(host)
      return bool(exists(host, sorted(host, left, right)))
    })
  }
}
