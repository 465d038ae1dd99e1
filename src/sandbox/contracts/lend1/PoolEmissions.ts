import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI128, asU64, field, i128, struct, u64 } from "../../../ledger/soroban/Values.ts"
import { readAndExtend, sharedLife, userLife, writeAndExtend } from "./ExtendedEntries.ts"
import { PoolError } from "./PoolError.ts"
import { emissionConfigKey, emissionDataKey, userEmissionKey } from "./PoolKeys.ts"
import type { PoolTraits } from "./PoolTraits.ts"

/** Emissions of one kind of share: a rate that ends, and what one share has earned so far. Times are Unix seconds. */
export interface EmissionData {
  readonly eps: bigint
  readonly expiration: bigint
  readonly index: bigint
  readonly lastTime: bigint
}

/** How many shares there are, those of the user among them, and base units in a whole one. */
export interface EmissionBasis {
  readonly id: number
  readonly supply: bigint
  readonly scalar: bigint
  readonly user: xdr.ScAddress
  readonly balance: bigint
}

export const emissionDataVal = ({ eps, expiration, index, lastTime }: EmissionData): xdr.ScVal =>
  struct({ eps: u64(eps), expiration: u64(expiration), index: i128(index), last_time: u64(lastTime) })

export const asEmissionData = (value: xdr.ScVal): EmissionData => ({
  eps: asU64(field(value, "eps")),
  expiration: asU64(field(value, "expiration")),
  index: asI128(field(value, "index")),
  lastTime: asU64(field(value, "last_time"))
})

export const userEmissionVal = (user: { readonly accrued: bigint; readonly index: bigint }): xdr.ScVal =>
  struct({ accrued: i128(user.accrued), index: i128(user.index) })

/** The parts that the first version keeps apart: the rate and its end, and what a share has earned so far. */
export const emissionConfigVal = ({ eps, expiration }: EmissionData): xdr.ScVal => struct({ eps: u64(eps), expiration: u64(expiration) })

export const emissionProgressVal = ({ index, lastTime }: EmissionData): xdr.ScVal =>
  struct({ index: i128(index), last_time: u64(lastTime) })

export const emissionsOfParts = (config: xdr.ScVal, progress: xdr.ScVal): EmissionData => ({
  eps: asU64(field(config, "eps")),
  expiration: asU64(field(config, "expiration")),
  index: asI128(field(progress, "index")),
  lastTime: asU64(field(progress, "last_time"))
})

const readEmissions = (host: ContractHost, { version }: PoolTraits, id: number): EmissionData | undefined => {
  if (version === 2) {
    const value = readAndExtend(host, emissionDataKey(id), sharedLife)
    return value === undefined ? undefined : asEmissionData(value)
  }
  const config = readAndExtend(host, emissionConfigKey(id), sharedLife)
  if (config === undefined) return undefined
  return emissionsOfParts(config, readAndExtend(host, emissionDataKey(id), sharedLife) ?? host.trap())
}

const writeEmissions = (host: ContractHost, { version }: PoolTraits, id: number, data: EmissionData): void => {
  const value = version === 2 ? emissionDataVal(data) : emissionProgressVal(data)
  writeAndExtend(host, emissionDataKey(id), value, sharedLife)
}

/** Brings what a share has earned forward to now, or to the end of the emissions. */
const broughtForward = (host: ContractHost, traits: PoolTraits, { id, scalar, supply }: EmissionBasis): EmissionData | undefined => {
  const data = readEmissions(host, traits, id)
  if (data === undefined) return undefined
  const now = host.ledger.timestamp
  const { eps, expiration, index, lastTime } = data
  if (lastTime >= expiration || now === lastTime || eps === 0n || supply === 0n) return data
  const until = now > expiration ? expiration : now
  const next = { ...data, index: index + traits.fixed.divFloor((until - lastTime) * eps, supply, scalar), lastTime: until }
  writeEmissions(host, traits, id, next)
  return next
}

/** Settles what a user has earned; what is claimed is given back and no longer owed. */
const settle = (host: ContractHost, traits: PoolTraits, basis: EmissionBasis, claiming: boolean): bigint => {
  const data = broughtForward(host, traits, basis)
  if (data === undefined) return 0n
  const { balance, id, scalar, user } = basis
  const key = userEmissionKey(user, id)
  const known = readAndExtend(host, key, userLife)
  const before = known === undefined
    ? { accrued: 0n, index: 0n }
    : { accrued: asI128(field(known, "accrued")), index: asI128(field(known, "index")) }
  if (known !== undefined && before.index === data.index && !claiming) return 0n
  const gained = data.index - before.index
  if (balance !== 0n && gained < 0n) host.fail(PoolError.negativeAmount)
  const earned = balance === 0n ? 0n : traits.fixed.mulFloor(balance, gained, scalar * traits.indexScale)
  const owed = before.accrued + earned
  writeAndExtend(host, key, userEmissionVal({ accrued: claiming ? 0n : owed, index: data.index }), userLife)
  return claiming ? owed : 0n
}

/** Must come before any change of the shares. */
export const updateEmissions = (host: ContractHost, traits: PoolTraits, basis: EmissionBasis): void => {
  settle(host, traits, basis, false)
}

/** Base units of BLND the user may be paid. */
export const claimEmissions = (host: ContractHost, traits: PoolTraits, basis: EmissionBasis): bigint => settle(host, traits, basis, true)
