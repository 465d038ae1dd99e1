import { Either } from "effect"
import type { xdr } from "@stellar/stellar-sdk"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { DefiPosition } from "../../domain/Position.ts"
import type { GateFailure } from "../CodeGate.ts"
import type { LedgerView } from "../LedgerView.ts"
import type { Decoded, HeldPosition, Unrecognized } from "../Protocol.ts"
import { heldVault } from "./HeldVault.ts"
import type { Cdp1Code } from "./LeaveVault.ts"
import { depositKeys } from "./LockedDeposit.ts"
import { faceIn, showUnits } from "./TokenFace.ts"
import type { TokenFace } from "./TokenFace.ts"
import type { Vault } from "./Vault.ts"
import { knownDenominations } from "./VaultKey.ts"
import type { Denomination } from "./VaultKey.ts"
import { vaultsContract } from "./VaultsCode.ts"
import type { VaultsContract } from "./VaultsCode.ts"
import { settingsIn } from "./VaultSettings.ts"
import type { VaultSettings } from "./VaultSettings.ts"

/** Collects what one reading finds and what it lacks. */
class Findings {
  readonly further: Array<xdr.LedgerKey> = []
  readonly positions: Array<HeldPosition> = []
  readonly unrecognized: Array<Unrecognized> = []
  readonly enrichment: Record<string, { symbol: string | null; decimals: number | null; priceLumens: null; priceSource: null }> = {}

  /** The value, or null after the reason why there is none was noted. */
  take<A>(contract: ContractAddress, rawType: string, read: Either.Either<A, GateFailure>): A | null {
    if (Either.isRight(read)) return read.right
    if (read.left._tag === "Unread") this.further.push(...read.left.keys)
    else this.unclear(contract, rawType, reasonOf(read.left))
    return null
  }

  unclear(contract: ContractAddress, rawType: string, reason: string): void {
    this.unrecognized.push({ protocol: "cdp_1", contract, rawType, reason })
  }

  get decoded(): Decoded {
    const { enrichment, further, positions, unrecognized } = this
    return { further, positions, unrecognized, enrichment }
  }
}

const reasonOf = (failure: Exclude<GateFailure, { readonly _tag: "Unread" }>): string => {
  switch (failure._tag) {
    case "Undecodable":
      return `An entry is not what the contract is known to write: ${failure.reason}.`
    case "NoContract":
      return "There are entries of a contract that is not there."
    case "UnknownCode":
      return `The contract runs code that is not known (${failure.wasmHash ?? "no code of its own"}).`
  }
}

/** The vaults of one vaults contract, and what lies in the locking pools beside it. */
export const readVaults = (
  user: AccountAddress,
  view: LedgerView,
  contract: ContractAddress,
  lockingPools: ReadonlyArray<ContractAddress>,
  code: Cdp1Code
): Decoded => {
  const found = new Findings()
  const gated = vaultsContract(view, contract, code.vaults)
  if (Either.isLeft(gated) && gated.left._tag === "NoContract" && nothingOf(user, view, contract)) return found.decoded
  const vaults = found.take(contract, "contract", gated)
  if (vaults === null) return found.decoded
  const settings = settingsIn(vaults.instance)
  for (const denomination of new Set([...knownDenominations, ...settings.denominations])) {
    const held = found.take(contract, `vault ${denomination}`, heldVault(view, contract, user, denomination))
    if (held === null || (held.vault.collateral === 0n && held.vault.debt === 0n)) continue
    found.positions.push(position(found, view, vaults, settings, denomination, held.vault))
  }
  for (const pool of lockingPools) {
    for (const key of depositKeys(pool, user, settings)) {
      const { _tag } = view.state(key)
      if (_tag === "Unread") found.further.push(key)
      if (_tag === "Present") found.unclear(pool, "locked deposit", "A deposit in the locking pool: take it out with the protocol's own tools first.")
    }
  }
  return found.decoded
}

/** No entry of this owner is there, not even in denominations unheard of: those could not be known without the contract. */
const nothingOf = (user: AccountAddress, view: LedgerView, contract: ContractAddress): boolean =>
  knownDenominations.every((denomination) => {
    const held = heldVault(view, contract, user, denomination)
    return Either.isRight(held) && held.right === null
  })

const position = (
  found: Findings,
  view: LedgerView,
  { address, kind, wasmHash }: VaultsContract,
  settings: VaultSettings,
  denomination: Denomination,
  vault: Vault
): HeldPosition => {
  const core = Either.getOrNull(settings.core)
  const currency = Either.getOrNull(settings.currency(denomination))
  const collateral = faceOf(found, view, core?.collateralToken)
  const stablecoin = faceOf(found, view, currency?.stablecoin)
  const amount = showUnits(vault.collateral, collateral.decimals)
  const debt = showUnits(vault.debt, stablecoin.decimals)
  const row: DefiPosition = {
    protocol: "cdp_1",
    positionType: "cdp",
    contractAddress: address,
    denomination,
    collateralAmount: `${vault.collateral}`,
    debtAmount: `${vault.debt}`,
    display: {
      pool: `${denomination} vault`,
      asset: collateral.symbol,
      amount,
      collateralAmount: amount,
      yieldPct: null,
      yieldKind: null,
      detail: kind === "woundDown"
        ? "The protocol was wound down, and its contract no longer lets owners out."
        : debt === null || stablecoin.symbol === null ? null : `Owes ${debt} ${stablecoin.symbol}.`
    },
    wasmHash,
    usdValue: null
  }
  const leavable = kind === "vaults"
  return {
    protocol: "cdp_1",
    contract: address,
    key: denomination,
    rows: [row],
    pays: leavable && core !== null ? [core.collateralToken] : [],
    owes: leavable && currency !== null ? [{ token: currency.stablecoin, amount: vault.debt }] : []
  }
}

const faceOf = (found: Findings, view: LedgerView, token: ContractAddress | undefined): TokenFace => {
  const face = token === undefined ? null : faceIn(view, token)
  if (token === undefined || face === null) return { symbol: null, decimals: null }
  if (Either.isLeft(face)) {
    found.further.push(...face.left.keys)
    return { symbol: null, decimals: null }
  }
  found.enrichment[token] = { ...face.right, priceLumens: null, priceSource: null }
  return face.right
}
