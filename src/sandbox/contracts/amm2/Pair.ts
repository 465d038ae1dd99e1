import type { xdr } from "@stellar/stellar-sdk"
import { contractFunction, type ContractHost, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, compareValues, i128, vec, voidVal } from "../../../ledger/soroban/Values.ts"
import { pay } from "../HeldTokens.ts"
import { lastProduct } from "./FeeMint.ts"
import { keepInstance } from "./InstanceLife.ts"
import { PairError } from "./PairError.ts"
import { balancesOf, factoryOf, isInitialized, pairInstanceKeys, reservesOf, setReserves, tellOfPair, tokensOf } from "./PairReserves.ts"
import { nameShares, shareFunctions } from "./PairShares.ts"
import { deposit, swap, withdraw } from "./PairTrades.ts"

/** Hash of the code of pairs, as deployed. */
export const pairHash = "18051456816b66f12e773a56f77c5794fac1b1fb7ab6e22d4fad5a412770f73e"

const symbolOf = (host: ContractHost, token: xdr.ScAddress): Uint8Array => {
  const symbol = host.call(token, "symbol")
  return symbol.type === "scvString" ? symbol.str.bytes : host.trap()
}

/** Two tokens that trade against each other at the price of their reserves, held in shares. */
export const pair: ContractModel = {
  instructions: 1_000_000,
  functions: {
    ...shareFunctions,
    initialize: contractFunction(["address", "address", "address"], (host, [factory, first, second]) => {
      if (isInitialized(host)) host.fail(PairError.alreadyInitialized)
      if (compareValues(addressVal(first), addressVal(second)) >= 0) host.fail(PairError.tokenOrder)
      host.instance.set(pairInstanceKeys.factory, addressVal(factory))
      nameShares(host, [symbolOf(host, first), symbolOf(host, second)])
      host.instance.set(pairInstanceKeys.tokens[0], addressVal(first))
      host.instance.set(pairInstanceKeys.tokens[1], addressVal(second))
      for (const key of pairInstanceKeys.reserves) host.instance.set(key, i128(0n))
      keepInstance(host)
      return voidVal
    }),
    deposit,
    swap,
    withdraw: contractFunction(["address"], (host, [to]) => vec(...withdraw(host, to).map(i128))),
    skim: contractFunction(["address"], (host, [to]) => {
      keepInstance(host)
      const [balances, reserves] = [balancesOf(host), reservesOf(host)]
      const [first, second] = tokensOf(host)
      const skimmed = [balances[0] - reserves[0], balances[1] - reserves[1]] as const
      pay(host, first, to, skimmed[0])
      pay(host, second, to, skimmed[1])
      tellOfPair(host, "skim", { skimmed_0: i128(skimmed[0]), skimmed_1: i128(skimmed[1]) })
      return voidVal
    }),
    sync: contractFunction([], (host) => {
      keepInstance(host)
      setReserves(host, balancesOf(host))
      return voidVal
    }),
    token_0: contractFunction([], (host) => {
      keepInstance(host)
      return addressVal(tokensOf(host)[0])
    }),
    token_1: contractFunction([], (host) => {
      keepInstance(host)
      return addressVal(tokensOf(host)[1])
    }),
    factory: contractFunction([], (host) => {
      keepInstance(host)
      return addressVal(factoryOf(host))
    }),
    get_reserves: contractFunction([], (host) => {
      keepInstance(host)
      return vec(...reservesOf(host).map(i128))
    }),
    k_last: contractFunction([], (host) => {
      keepInstance(host)
      return i128(lastProduct(host))
    })
  }
}
