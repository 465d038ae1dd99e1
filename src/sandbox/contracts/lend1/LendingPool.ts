import { type ContractFunction, contractFunction, type ContractModel } from "../../../ledger/soroban/Contract.ts"
import { addressVal, string, vec, voidVal } from "../../../ledger/soroban/Values.ts"
import { readAndExtend, sharedLife, userLife } from "./ExtendedEntries.ts"
import { readConfig, readReserveList } from "./Pool.ts"
import { claimFunction } from "./PoolClaim.ts"
import { poolConfigVal } from "./PoolConfig.ts"
import { auctionKey, emissionDataKey, poolInstanceKeys, userEmissionKey } from "./PoolKeys.ts"
import { type PoolTraits, poolV1Traits, poolV2Traits } from "./PoolTraits.ts"
import { positionsVal, readPositions } from "./Positions.ts"
import { Reserve } from "./Reserve.ts"
import { submitFunction } from "./Submit.ts"

/** Hashes of the code of pools, as deployed. */
export const poolV1Hash = "baf978f10efdbcd85747868bef8832845ea6809f7643b67a4ac0cd669327fc2c"
export const poolV2Hash = "a41fc53d6753b6c04eb15b021c55052366a4c8e0e21bc72700f461264ec1350e"

/** Status of a pool that takes nothing yet. */
const beingSetUp = 6

/** What both versions have. Running auctions, setting up reserves, administration and the intake of emissions are not modelled. */
const common = (traits: PoolTraits): Readonly<Record<string, ContractFunction>> => ({
  get_positions: contractFunction(["address"], (host, [user]) => positionsVal(readPositions(host, user))),
  get_auction: contractFunction(["u32", "address"], (host, [kind, user]) => host.temporary.get(auctionKey(kind, user)) ?? host.trap()),
  submit: submitFunction(traits, { allowance: false }),
  claim: claimFunction(traits)
})

/** A pool of the first version. */
export const poolV1: ContractModel = { functions: common(poolV1Traits), instructions: 5_000_000 }

/** A pool of the second version. */
export const poolV2: ContractModel = {
  instructions: 5_000_000,
  functions: {
    ...common(poolV2Traits),
    __constructor: contractFunction(
      ["address", "string", "address", "u32", "u32", "i128", "address", "address"],
      (host, [admin, name, oracle, backstopRate, maxPositions, minCollateral, backstop, blnd]) => {
        host.instance.set(poolInstanceKeys.admin, addressVal(admin))
        host.instance.set(poolInstanceKeys.name, string(name))
        host.instance.set(poolInstanceKeys.config, poolConfigVal({ oracle, backstopRate, maxPositions, minCollateral, status: beingSetUp }))
        host.instance.set(poolInstanceKeys.backstop, addressVal(backstop))
        host.instance.set(poolInstanceKeys.blnd, addressVal(blnd))
        return voidVal
      }
    ),
    submit_with_allowance: submitFunction(poolV2Traits, { allowance: true }),
    get_config: contractFunction([], (host) => host.instance.get(poolInstanceKeys.config) ?? host.trap()),
    get_admin: contractFunction([], (host) => host.instance.get(poolInstanceKeys.admin) ?? host.trap()),
    get_reserve_list: contractFunction([], (host) => vec(...readReserveList(host).map(addressVal))),
    get_reserve: contractFunction(
      ["address"],
      (host, [asset]) => Reserve.load(host, poolV2Traits, readConfig(host).backstopRate, asset).toScVal()
    ),
    get_reserve_emissions: contractFunction(["u32"], (host, [id]) => readAndExtend(host, emissionDataKey(id), sharedLife) ?? voidVal),
    get_user_emissions: contractFunction(
      ["address", "u32"],
      (host, [user, id]) => readAndExtend(host, userEmissionKey(user, id), userLife) ?? voidVal
    )
  }
}
