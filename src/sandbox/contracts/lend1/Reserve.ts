import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { addressVal, i128, struct } from "../../../ledger/soroban/Values.ts"
import { requireAndExtend, sharedLife, writeAndExtend } from "./ExtendedEntries.ts"
import { accrual } from "./Interest.ts"
import { PoolError } from "./PoolError.ts"
import { reserveConfigKey, reserveDataKey } from "./PoolKeys.ts"
import { type PoolTraits, sevenDecimals } from "./PoolTraits.ts"
import { asReserveConfig, asReserveData, type ReserveConfig, reserveConfigVal, type ReserveData, reserveDataVal } from "./ReserveEntries.ts"

/** Lending of one asset, brought forward to the time of the ledger. */
export class Reserve {
  /** Reads a reserve; one that is not there fails. `backstopShare`: of interest, seven decimals. */
  static load(host: ContractHost, traits: PoolTraits, backstopShare: number, asset: xdr.ScAddress): Reserve {
    const config = asReserveConfig(requireAndExtend(host, reserveConfigKey(asset), sharedLife))
    const data = asReserveData(requireAndExtend(host, reserveDataKey(asset), sharedLife))
    return new Reserve(asset, traits, config, data).at(host, BigInt(backstopShare))
  }

  readonly asset: xdr.ScAddress
  readonly config: ReserveConfig
  readonly data: ReserveData
  private readonly traits: PoolTraits

  private constructor(asset: xdr.ScAddress, traits: PoolTraits, config: ReserveConfig, data: ReserveData) {
    this.asset = asset
    this.traits = traits
    this.config = config
    this.data = data
  }

  with(changes: Partial<ReserveData>): Reserve {
    return new Reserve(this.asset, this.traits, this.config, { ...this.data, ...changes })
  }

  store(host: ContractHost): void {
    writeAndExtend(host, reserveDataKey(this.asset), reserveDataVal(this.data), sharedLife)
  }

  /** Base units in one whole unit of the asset. */
  get scalar(): bigint {
    return 10n ** BigInt(this.config.decimals)
  }

  /** Base units owed, rounded up. */
  debtOf(shares: bigint): bigint {
    return this.traits.fixed.mulCeil(shares, this.data.dRate, this.traits.rateScale)
  }

  /** Base units supplied, rounded down. */
  supplyOf(shares: bigint): bigint {
    return this.traits.fixed.mulFloor(shares, this.data.bRate, this.traits.rateScale)
  }

  /** Debt as it weighs against collateral. */
  weighedDebtOf(shares: bigint): bigint {
    return this.traits.fixed.divCeil(this.debtOf(shares), BigInt(this.config.lFactor), sevenDecimals)
  }

  /** Collateral as it weighs against debt. */
  weighedSupplyOf(shares: bigint): bigint {
    return this.traits.fixed.mulFloor(this.supplyOf(shares), BigInt(this.config.cFactor), sevenDecimals)
  }

  debtShares(amount: bigint, rounding: "up" | "down"): bigint {
    const { fixed, rateScale } = this.traits
    return rounding === "up" ? fixed.divCeil(amount, this.data.dRate, rateScale) : fixed.divFloor(amount, this.data.dRate, rateScale)
  }

  supplyShares(amount: bigint, rounding: "up" | "down"): bigint {
    const { fixed, rateScale } = this.traits
    return rounding === "up" ? fixed.divCeil(amount, this.data.bRate, rateScale) : fixed.divFloor(amount, this.data.bRate, rateScale)
  }

  get totalSupply(): bigint {
    return this.supplyOf(this.data.bSupply)
  }

  get totalDebt(): bigint {
    return this.debtOf(this.data.dSupply)
  }

  /** What part of the supply is lent out, seven decimals, rounded up. */
  get utilization(): bigint {
    const { fixed, version } = this.traits
    const [debt, supply] = [this.totalDebt, this.totalSupply]
    if (version === 2 && debt === 0n) return 0n
    return version === 2 && debt >= supply ? sevenDecimals : fixed.divCeil(debt, supply, sevenDecimals)
  }

  requireBelowMaximum(host: ContractHost): void {
    if (this.utilization > BigInt(this.config.maxUtil)) host.fail(PoolError.invalidUtilization)
  }

  requireBelowWhole(host: ContractHost): void {
    if (this.utilization >= sevenDecimals) host.fail(PoolError.invalidUtilization)
  }

  private at(host: ContractHost, backstopShare: bigint): Reserve {
    const now = host.ledger.timestamp
    const { bSupply, dRate, irMod, lastTime } = this.data
    if (now === lastTime) return this
    if (bSupply === 0n) return this.with({ lastTime: now })
    const { utilization } = this
    if (utilization === 0n) return this.with({ lastTime: now })
    const seconds = now - lastTime
    if (seconds < 0n) host.trap()
    const { factor, modifier } = accrual(this.traits, this.config, { utilization, modifier: irMod, seconds })
    const indebted = this.with({
      dRate: this.traits.fixed.mulCeil(factor, dRate, this.traits.rateScale),
      irMod: modifier,
      lastTime: now
    })
    return indebted.sharing(indebted.totalDebt - this.totalDebt, backstopShare)
  }

  /** Interest goes to the backstop in part and raises the rate of the supply with the rest. */
  private sharing(interest: bigint, backstopShare: bigint): Reserve {
    if (interest <= 0n) return this
    const { fixed, rateScale } = this.traits
    const credit = backstopShare > 0n ? fixed.mulFloor(interest, backstopShare, sevenDecimals) : 0n
    return this.with({
      backstopCredit: this.data.backstopCredit + credit,
      bRate: fixed.divFloor(this.totalSupply + interest - credit, this.data.bSupply, rateScale)
    })
  }

  toScVal(): xdr.ScVal {
    return struct({
      asset: addressVal(this.asset),
      config: reserveConfigVal(this.config),
      data: reserveDataVal(this.data),
      scalar: i128(this.scalar)
    })
  }
}
