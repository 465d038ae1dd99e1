import type { xdr } from "@stellar/stellar-sdk"
import type { ContractHost } from "../../../ledger/soroban/Contract.ts"
import { updateEmissions } from "./PoolEmissions.ts"
import { PoolError } from "./PoolError.ts"
import type { PoolTraits } from "./PoolTraits.ts"
import { type Positions, readPositions, withShares, writePositions } from "./Positions.ts"
import type { Reserve } from "./Reserve.ts"

export type PositionKind = keyof Positions

/** A user of a pool while a call runs. Every change of shares settles emissions first and gives back the reserve after it. */
export class Borrower {
  readonly address: xdr.ScAddress
  private readonly host: ContractHost
  private readonly traits: PoolTraits
  private held: Positions

  constructor(host: ContractHost, traits: PoolTraits, address: xdr.ScAddress) {
    this.host = host
    this.traits = traits
    this.address = address
    this.held = readPositions(host, address)
  }

  get positions(): Positions {
    return this.held
  }

  get hasDebt(): boolean {
    return this.held.liabilities.size > 0
  }

  shares(kind: PositionKind, index: number): bigint {
    return this.held[kind].get(index) ?? 0n
  }

  /** Shares of supply, whether they back debt or not. */
  suppliedShares(index: number): bigint {
    return this.shares("collateral", index) + this.shares("supply", index)
  }

  add(kind: PositionKind, reserve: Reserve, amount: bigint): Reserve {
    if (amount <= 0n) this.host.fail(kind === "liabilities" ? PoolError.invalidDebtMint : PoolError.invalidSupplyMint)
    return this.change(kind, reserve, amount)
  }

  remove(kind: PositionKind, reserve: Reserve, amount: bigint): Reserve {
    if (amount <= 0n) this.host.fail(kind === "liabilities" ? PoolError.invalidDebtBurn : PoolError.invalidSupplyBurn)
    return this.change(kind, reserve, -amount)
  }

  store(): void {
    writePositions(this.host, this.address, this.held)
  }

  private change(kind: PositionKind, reserve: Reserve, by: bigint): Reserve {
    const { index } = reserve.config
    const isDebt = kind === "liabilities"
    updateEmissions(this.host, this.traits, {
      id: index * 2 + (isDebt ? 0 : 1),
      supply: isDebt ? reserve.data.dSupply : reserve.data.bSupply,
      scalar: reserve.scalar,
      user: this.address,
      balance: isDebt ? this.shares("liabilities", index) : this.suppliedShares(index)
    })
    const shares = this.shares(kind, index) + by
    if (shares < 0n) this.host.fail(PoolError.negativeAmount)
    this.held = { ...this.held, [kind]: withShares(this.held[kind], index, shares) }
    return isDebt
      ? reserve.with({ dSupply: reserve.data.dSupply + by })
      : reserve.with({ bSupply: reserve.data.bSupply + by })
  }
}
