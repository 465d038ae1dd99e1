import { type Asset, type Keypair, xdr } from "@stellar/stellar-sdk"
import type { LedgerState } from "../../../../src/ledger/LedgerState.ts"
import { simulateInvocation } from "../../../../src/ledger/soroban/Simulation.ts"
import { addressOf, addressVal, asI128, asVec, field, i128, u32, vec } from "../../../../src/ledger/soroban/Values.ts"
import { sandboxContracts } from "../../../../src/sandbox/contracts/All.ts"
import { userBalanceKey } from "../../../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { cometBalanceKey } from "../../../../src/sandbox/contracts/lend1/CometShares.ts"
import { positionsKey, reserveDataKey } from "../../../../src/sandbox/contracts/lend1/PoolKeys.ts"
import { asPositions, noPositions } from "../../../../src/sandbox/contracts/lend1/Positions.ts"
import { asReserveData } from "../../../../src/sandbox/contracts/lend1/ReserveEntries.ts"
import { readVault, vaultKey } from "../../../../src/sandbox/contracts/vaults/VaultValues.ts"
import { lendingContracts } from "../../../../src/sandbox/scenarios/LendingContracts.ts"
import { vaultsContracts } from "../../../../src/sandbox/scenarios/VaultsContracts.ts"
import { keyOfContractData } from "../../../../src/xdr/LedgerKeys.ts"
import type { Reserve } from "./PositionsShape.ts"

const RATE = 1_000_000_000_000n
const RESERVES: ReadonlyArray<Reserve> = ["native", "usdc", "eurc"]
const { backstop, comet, pool } = lendingContracts
const { vaults } = vaultsContracts

/** An account's holdings in the sandbox's contracts, from their entries; base units at the stored rates. */
export interface HeldInProtocols {
  /** By reserve, without interest since the reserve's last change. */
  readonly owed: Readonly<Record<Reserve, bigint>>
  readonly lent: Readonly<Record<Reserve, bigint>>
  /** Shares, including queued ones. */
  readonly deposited: bigint
  readonly cometShares: bigint
  /** Lumens that vaults lock; their loans are in `owed`. */
  readonly locked: bigint
}

/** The value of a contract under a key; null without an entry. */
export const valueIn = (state: LedgerState, contract: xdr.ScAddress, key: xdr.ScVal): xdr.ScVal | null => {
  const data = state.get(keyOfContractData(contract, key, "persistent"))?.data
  return data?.type === "contractData" ? data.contractData.val : null
}

const rounded = (amount: bigint): bigint => (amount + RATE - 1n) / RATE

/** An account's holdings in protocols, from the sandbox's entries. */
export const heldBy = (
  state: LedgerState,
  account: Keypair,
  assets: Readonly<Record<Reserve, Asset>>,
  passphrase: string
): HeldInProtocols => {
  const own = addressOf(account.publicKey())
  const value = valueIn(state, pool, positionsKey(own))
  const positions = value === null ? noPositions : asPositions(value)
  const inPool = RESERVES.map((name, index) => {
    const stored = valueIn(state, pool, reserveDataKey(addressOf(assets[name].contractId(passphrase))))
    const { bRate, dRate } = stored === null ? { bRate: RATE, dRate: RATE } : asReserveData(stored)
    return {
      lent: (((positions.collateral.get(index) ?? 0n) + (positions.supply.get(index) ?? 0n)) * bRate) / RATE,
      owed: rounded((positions.liabilities.get(index) ?? 0n) * dRate)
    }
  })
  const [usd, eur] = ["USD", "EUR"].map((denomination) => {
    const vault = valueIn(state, vaults, vaultKey(own, denomination))
    return vault === null ? null : readVault(vault)
  })
  const deposit = valueIn(state, backstop, userBalanceKey(pool, own))
  const shares = valueIn(state, comet, cometBalanceKey(own))
  const record = (of: (one: (typeof inPool)[number]) => bigint): Record<Reserve, bigint> => {
    const [native, usdc, eurc] = inPool.map(of)
    return { native: native ?? 0n, usdc: usdc ?? 0n, eurc: eurc ?? 0n }
  }
  const owed = record((one) => one.owed)
  return {
    owed: { ...owed, usdc: owed.usdc + (usd?.totalDebt ?? 0n), eurc: owed.eurc + (eur?.totalDebt ?? 0n) },
    lent: record((one) => one.lent),
    deposited: deposit === null
      ? 0n
      : asVec(field(deposit, "q4w")).reduce((sum, one) => sum + asI128(field(one, "amount")), asI128(field(deposit, "shares"))),
    cometShares: shares === null ? 0n : asI128(shares),
    locked: (usd?.totalCollateral ?? 0n) + (eur?.totalCollateral ?? 0n)
  }
}

/** The result of a contract call without any effect; null where it fails. */
export const answer = (
  state: LedgerState,
  as: Keypair,
  contract: xdr.ScAddress,
  fn: string,
  args: ReadonlyArray<xdr.ScVal>,
  passphrase: string
): xdr.ScVal | null => {
  const { closeTime, ledgerSeq } = state.header
  const invocation = new xdr.InvokeContractArgs({ contractAddress: contract, functionName: fn, args: [...args] })
  const outcome = simulateInvocation(
    state.at({ ledgerSeq: ledgerSeq + 1, closeTime }),
    new xdr.InvokeHostFunctionOp({ hostFunction: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation), auth: [] }),
    xdr.PublicKey.publicKeyTypeEd25519(as.rawPublicKey()),
    {
      networkPassphrase: passphrase,
      contracts: sandboxContracts,
      authorization: { _tag: "Record", allowNonRoot: false, coversAddress: false }
    }
  )
  return outcome._tag === "SimulatedCall" ? outcome.returnValue : null
}

/** Claimable amounts of an account, from the contracts: BLND of the pool, shares of the backstop. */
export const claimableBy = (
  state: LedgerState,
  account: Keypair,
  to: Keypair,
  passphrase: string
): { readonly pool: bigint; readonly backstop: bigint } => {
  const [own, other] = [account, to].map((key) => addressVal(addressOf(key.publicKey())))
  if (own === undefined || other === undefined) return { pool: 0n, backstop: 0n }
  const ids = vec(...Array.from({ length: 6 }, (_, id) => u32(id)))
  const [fromPool, fromBackstop] = [
    answer(state, account, pool, "claim", [own, ids, other], passphrase),
    answer(state, account, backstop, "claim", [own, vec(addressVal(pool)), i128(0n)], passphrase)
  ]
  return { pool: fromPool === null ? 0n : asI128(fromPool), backstop: fromBackstop === null ? 0n : asI128(fromBackstop) }
}
