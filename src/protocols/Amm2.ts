/**
 * amm_2 is Soroswap: pairs of tokens, each the token of its own shares.
 *
 * Read by ledger entries: the factory's instance (`TotalPairs`, `FeesEnabled`) and its list (`PairAddressesNIndexed`,
 * `PairAddressesByTokens`), which names every pair; pair `Balance` and instance (0 and 1 tokens, 2 and 3 reserves, 4 factory, 5 last
 * product, `TotalSupply`); token `Balance` of the pair; router instance (`Factory`). Asked, of tokens that keep no such entry: `balance`.
 * Called: router `remove_liquidity(token_a, token_b, liquidity, amount_a_min, amount_b_min, to, deadline)` and
 * `swap_exact_tokens_for_tokens(amount_in, amount_out_min, path, to, deadline)`, and nothing else.
 * Source: https://github.com/soroswap/core
 */
import { Effect } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import type { ProtocolCode } from "../registry/ContractAddresses.ts"
import { problemOf } from "./amm2/Failures.ts"
import { sharesNamed } from "./amm2/Keys.ts"
import { pairCode } from "./amm2/PairCode.ts"
import { pairDiscovery } from "./amm2/PairList.ts"
import { factoryItself, pairPart } from "./amm2/PairPart.ts"
import { listedContracts } from "./kit/ListedContracts.ts"
import * as Protocol from "./Protocol.ts"

const name = "amm_2"

/** Where the contracts of one network are, and the code that is known. */
export interface Deployment {
  readonly factories: ReadonlyArray<ContractAddress>
  readonly routers: ReadonlyArray<ContractAddress>
  readonly code: ProtocolCode
  /** Whether a pair may run code that is not listed, and that declares what is relied on; left out: it may not. */
  readonly byInterface?: boolean
}

/** The decoder over one deployment. */
export const amm2 = ({ byInterface = false, code, factories, routers }: Deployment): Protocol.Protocol => {
  const known = pairCode(code, byInterface)
  const discovery = pairDiscovery({ factories, routers, code: known, placeOf: pairPart(known, { factories, routers }) })
  return {
    name,
    label: "Soroswap",
    code: Object.values(code).flat(),
    contracts: [...factories, ...routers],
    places: factories.map((contract) => factoryItself(known.factory)({ contract, key: "itself" })),
    ...(discovery === null ? {} : { discovery }),
    candidatesIn: sharesNamed,
    problem: problemOf,
    spenders: routers.map((contract) => ({ contract, role: "router" }))
  }
}

/** Over the addresses of this network, in the roles of its contracts file. */
export const layer = Protocol.layer(
  Effect.map(
    listedContracts(name, ["factory", "router"]),
    ({ byInterface, code, inRole }) => amm2({ factories: inRole("factory"), routers: inRole("router"), code, byInterface })
  )
)
