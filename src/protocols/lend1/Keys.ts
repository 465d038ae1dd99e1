import { Address, type xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { type AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { contractDataKey, instanceKey } from "../../stellar/ContractKeys.ts"
import { account, contract, payloadsOf, struct, symbol, u32, variant } from "../../stellar/ScValCodec.ts"
import { xdrBase64 } from "../../xdr/XdrBytes.ts"

// Storage keys of the pool (PoolDataKey), the backstop (BackstopDataKey), the pool factory and the comet pool whose shares the backstop takes.

const userReserve = struct({ reserve_id: u32, user: account })
const auctionOf = struct({ auct_type: u32, user: account })
const poolUser = struct({ pool: contract, user: account })

export const reserveList = symbol.encode("ResList")
export const positions = (user: AccountAddress): xdr.ScVal => variant("Positions", account.encode(user))
export const reserveConfig = (asset: ContractAddress): xdr.ScVal => variant("ResConfig", contract.encode(asset))
export const reserveData = (asset: ContractAddress): xdr.ScVal => variant("ResData", contract.encode(asset))
export const emissionData = (id: number): xdr.ScVal => variant("EmisData", u32.encode(id))
/** Pool v1 only: v2 keeps it in `EmisData`. */
export const emissionConfig = (id: number): xdr.ScVal => variant("EmisConfig", u32.encode(id))
export const userEmissions = (user: AccountAddress, id: number): xdr.ScVal =>
  variant("UserEmis", userReserve.encode({ reserve_id: id, user }))
/** Temporary. A liquidation of the user while it is there. */
export const liquidation = (user: AccountAddress): xdr.ScVal => variant("Auction", auctionOf.encode({ auct_type: 0, user }))

export const rewardZone = symbol.encode("RZ")
export const userBalance = (pool: ContractAddress, user: AccountAddress): xdr.ScVal =>
  variant("UserBalance", poolUser.encode({ pool, user }))
export const poolBalance = (pool: ContractAddress): xdr.ScVal => variant("PoolBalance", contract.encode(pool))
export const backstopEmissions = (pool: ContractAddress): xdr.ScVal => variant("BEmisData", contract.encode(pool))
/** Backstop v1 only. */
export const backstopEmissionConfig = (pool: ContractAddress): xdr.ScVal => variant("BEmisCfg", contract.encode(pool))
export const backstopUserEmissions = (pool: ContractAddress, user: AccountAddress): xdr.ScVal =>
  variant("UEmisData", poolUser.encode({ pool, user }))

/** Of the pool factory (PoolFactoryDataKey): whether it deployed the pool. */
export const deployed = (pool: ContractAddress): xdr.ScVal => variant("Contracts", contract.encode(pool))

export const shareBalance = (user: AccountAddress): xdr.ScVal => variant("Balance", account.encode(user))
export const totalShares = variant("TotalShares")
export const tokenList = variant("AllTokenVec")
export const tokenRecords = variant("AllRecordData")
export const swapFee = variant("SwapFee")

/** What an account has in a pool: there as soon as it ever had anything. */
export const positionsKey = (pool: ContractAddress, user: AccountAddress): xdr.LedgerKey => contractDataKey(pool, positions(user))

/** What is read of a pool for every account. */
export const poolKeys = (pool: ContractAddress, user: AccountAddress): ReadonlyArray<xdr.LedgerKey> => [
  instanceKey(pool),
  contractDataKey(pool, reserveList),
  positionsKey(pool, user)
]

/** What is read of a backstop for every account. */
export const backstopKeys = (
  backstop: ContractAddress,
  pools: ReadonlyArray<ContractAddress>,
  user: AccountAddress
): ReadonlyArray<xdr.LedgerKey> => [
  instanceKey(backstop),
  ...pools.map((pool) => contractDataKey(backstop, userBalance(pool, user)))
]

/** What is read of the backstop's token for every account. */
export const cometKeys = (comet: ContractAddress, user: AccountAddress): ReadonlyArray<xdr.LedgerKey> => [
  instanceKey(comet),
  contractDataKey(comet, shareBalance(user))
]

/** Contracts of which some keys name what an account has in a pool, or in a backstop for one. */
export const poolsNamed = (keys: ReadonlyArray<xdr.LedgerKey>, user: AccountAddress): ReadonlyArray<ContractAddress> => {
  const own = xdrBase64(positions(user))
  return [
    ...new Set(keys.flatMap((key): ReadonlyArray<ContractAddress> => {
      if (key.type !== "contractData" || key.contractData.contract.type !== "scAddressTypeContract") return []
      if (xdrBase64(key.contractData.key) === own) {
        return [ContractAddress.make(Address.fromScAddress(key.contractData.contract).toString())]
      }
      const [payload] = payloadsOf("UserBalance", key.contractData.key) ?? []
      const deposit = payload === undefined ? null : Either.getOrNull(poolUser.decode(payload))
      return deposit?.user === user ? [deposit.pool] : []
    }))
  ]
}
