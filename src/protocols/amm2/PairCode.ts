import type { ProtocolCode } from "../../registry/ContractAddresses.ts"
import type { DeclaredKind } from "../kit/Declaration.ts"
import { type KnownCode, knownCode } from "../kit/KnownCode.ts"

/** What the contracts that a withdrawal rests on may run: each of them decides what becomes of the shares. */
export interface PairCode {
  readonly factory: KnownCode<"factory">
  readonly router: KnownCode<"router">
  readonly pair: KnownCode<"pair">
  /** What code that is not listed declares, where it counts as a pair's; empty: it does not. */
  readonly declared: ReadonlyArray<DeclaredKind<"pair">>
  /** The same of a router, through which a pair is left. */
  readonly declaredRouter: ReadonlyArray<DeclaredKind<"router">>
}

const declaredPair: DeclaredKind<"pair"> = {
  kind: "pair",
  declares: [
    "initialize(address,address,address)",
    "transfer(address,address,i128)",
    "balance(address)",
    "total_supply()",
    "factory()",
    "withdraw(address)",
    "get_reserves()",
    "k_last()",
    "union DataKey{Allowance(AllowanceDataKey),Balance(address),TotalSupply}"
  ]
}

const declaredRouter: DeclaredKind<"router"> = {
  kind: "router",
  declares: ["remove_liquidity(address,address,i128,i128,i128,address,u64)"]
}

/** The code of these kinds in a contracts file: `factory`, `router`, `pair`. */
export const pairCode = (code: ProtocolCode, byInterface: boolean): PairCode => ({
  factory: knownCode(code, "factory"),
  router: knownCode(code, "router"),
  pair: knownCode(code, "pair"),
  declared: byInterface ? [declaredPair] : [],
  declaredRouter: byInterface ? [declaredRouter] : []
})
