import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { asI128, field } from "../../../ledger/soroban/Values.ts"
import { BackstopError } from "./BackstopError.ts"
import { backstopEmissionConfigKey, backstopEmissionKey, userBackstopEmissionKey } from "./BackstopKeys.ts"
import type { BackstopTraits } from "./BackstopTraits.ts"
import { readAndExtend, sharedLife, userLife, writeAndExtend } from "./ExtendedEntries.ts"
import { narrow } from "./FixedPoint.ts"
import type { PoolBalance } from "./PoolBalance.ts"
import {
  asEmissionData,
  type EmissionData,
  emissionDataVal,
  emissionProgressVal,
  emissionsOfParts,
  userEmissionVal
} from "./PoolEmissions.ts"
import { sevenDecimals } from "./PoolTraits.ts"
import type { UserBalance } from "./UserBalance.ts"

/** A user of the backstop of a pool. */
export interface Depositor {
  readonly traits: BackstopTraits
  readonly pool: xdr.ScAddress
  readonly user: xdr.ScAddress
  readonly poolBalance: PoolBalance
  readonly userBalance: UserBalance
}

const readEmissions = (host: ContractHost, { pool, traits }: Depositor): EmissionData | undefined => {
  if (traits.version === 2) {
    const value = readAndExtend(host, backstopEmissionKey(pool), sharedLife)
    return value === undefined ? undefined : asEmissionData(value)
  }
  const config = readAndExtend(host, backstopEmissionConfigKey(pool), sharedLife)
  return config === undefined
    ? undefined
    : emissionsOfParts(config, readAndExtend(host, backstopEmissionKey(pool), sharedLife) ?? host.trap())
}

/** Shares gained by one that earns; the first version divides by none that do. */
const gain = (host: ContractHost, { traits }: Depositor, emitted: bigint, earning: bigint): bigint => {
  if (earning === 0n) return traits.version === 2 ? 0n : host.trap()
  return narrow.divFloor(emitted, earning, sevenDecimals)
}

/** Only shares that are not queued earn. The time noted is that of the ledger, even past the end of the emissions. */
const broughtForward = (host: ContractHost, depositor: Depositor): EmissionData | undefined => {
  const { pool, poolBalance, traits } = depositor
  const data = readEmissions(host, depositor)
  if (data === undefined) return undefined
  const now = host.ledger.timestamp
  if (data.lastTime >= data.expiration || now === data.lastTime || data.eps === 0n || poolBalance.shares === 0n) return data
  const until = now > data.expiration ? data.expiration : now
  const earning = poolBalance.shares - poolBalance.queued
  if (earning < 0n) host.fail(BackstopError.negativeAmount)
  const next = { ...data, index: data.index + gain(host, depositor, (until - data.lastTime) * data.eps, earning), lastTime: now }
  writeAndExtend(host, backstopEmissionKey(pool), traits.version === 2 ? emissionDataVal(next) : emissionProgressVal(next), sharedLife)
  return next
}

const settle = (host: ContractHost, depositor: Depositor, { index }: EmissionData, claiming: boolean): bigint => {
  const key = userBackstopEmissionKey(depositor.pool, depositor.user)
  const known = readAndExtend(host, key, userLife)
  const before = known === undefined
    ? { accrued: 0n, index: 0n }
    : { accrued: asI128(field(known, "accrued")), index: asI128(field(known, "index")) }
  if (known !== undefined && before.index === index && !claiming) return 0n
  const { shares } = depositor.userBalance
  if (shares !== 0n && index < before.index) host.fail(BackstopError.negativeAmount)
  const owed = before.accrued + (shares === 0n ? 0n : narrow.mulFloor(shares, index - before.index, depositor.traits.indexScale))
  writeAndExtend(host, key, userEmissionVal({ accrued: claiming ? 0n : owed, index }), userLife)
  return claiming ? owed : 0n
}

/** Must come before any change of the shares. */
export const updateBackstopEmissions = (host: ContractHost, depositor: Depositor): void => {
  const data = broughtForward(host, depositor)
  if (data !== undefined) settle(host, depositor, data, false)
}

/** Base units of BLND earned; where a pool never had emissions the first version answers with none and the second fails. */
export const claimBackstopEmissions = (host: ContractHost, depositor: Depositor): bigint => {
  const data = broughtForward(host, depositor)
  if (data !== undefined) return settle(host, depositor, data, true)
  return depositor.traits.version === 1 ? 0n : host.fail(BackstopError.badRequest)
}
