import type { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import { showAmount, showUnits } from "../../domain/Amount.ts"
import { contractDataKey } from "../../stellar/ContractKeys.ts"
import { address, tuple, variant } from "../../stellar/ScValCodec.ts"
import { type Decoded, type HeldPosition, noPositions } from "../HeldPosition.ts"
import { merged, undecoded } from "../kit/Decoding.ts"
import { type LedgerView, openIn } from "../kit/LedgerView.ts"
import { enrichmentOf, tokenFacts, tokenFactsKey } from "../kit/TokenFacts.ts"
import { heldVault } from "./HeldVault.ts"
import type { Vault } from "./Vault.ts"
import { type Denomination, knownDenominations } from "./VaultKey.ts"
import { type VaultsCode, type VaultsContract, vaultsContract } from "./VaultsCode.ts"
import { settingsIn, type VaultSettings } from "./VaultSettings.ts"

const Deposited = tuple(address, address)

/** Every asset that the vaults know of; null where some setting that names one is missing or does not decode. */
const assetsIn = (settings: VaultSettings): ReadonlyArray<ContractAddress> | null => {
  const core = Either.getOrNull(settings.core)
  const currencies = settings.denominations.flatMap((denomination) => Either.getOrNull(settings.currency(denomination)) ?? [])
  if (core === null || currencies.length < settings.denominations.length) return null
  return [...new Set([...currencies.map(({ stablecoin }) => stablecoin), core.collateralToken])]
}

/**
 * Where a locking pool keeps what an owner locked (`Deposit((asset, owner))`, persistent), for some assets. The pool keeps no list of its
 * assets, so one that the vaults do not know of cannot be seen.
 */
const depositKeys = (
  pool: ContractAddress,
  owner: AccountAddress,
  assets: ReadonlyArray<ContractAddress>
): ReadonlyArray<xdr.LedgerKey> => assets.map((asset) => contractDataKey(pool, variant("Deposit", Deposited.encode([asset, owner]))))

/** A locking pool whose assets are not known, so that no deposit in it can be looked for. */
const unsearched = (pool: ContractAddress): Decoded => ({
  ...noPositions,
  unrecognized: [{
    protocol: "cdp_1",
    contract: pool,
    rawType: "locked deposit",
    reason: "The vaults contract does not name its assets, so deposits in the protocol's locking pool cannot be looked for."
  }]
})

/** The vaults of one vaults contract, and what lies in the locking pools beside it. */
export const readVaults = (
  user: AccountAddress,
  view: LedgerView,
  { contract, lockingPools }: { readonly contract: ContractAddress; readonly lockingPools: ReadonlyArray<ContractAddress> },
  code: VaultsCode
): Decoded => {
  const gated = vaultsContract(view, contract, code)
  if (Either.isLeft(gated)) {
    if (gated.left._tag === "Unread") return undecoded("cdp_1", contract, "vaults", gated.left)
    const hasNone = gated.left._tag === "NoContract" && holdsNoVault(user, view, contract)
    return merged([hasNone ? noPositions : undecoded("cdp_1", contract, "vaults", gated.left), ...lockingPools.map(unsearched)])
  }
  const settings = settingsIn(gated.right.instance)
  return merged([
    ...denominationsOf(settings).map((denomination) =>
      Either.match(heldVault(view, contract, user, denomination), {
        onLeft: (failure) => undecoded("cdp_1", contract, `vault ${denomination}`, failure),
        onRight: (held) =>
          held === null || (held.vault.collateral === 0n && held.vault.debt === 0n)
            ? noPositions
            : shown(view, { contract: gated.right, denomination, vault: held.vault, ...tokensOf(settings, denomination) })
      })
    ),
    ...lockingPools.map((pool) => lockedIn(view, user, pool, settings))
  ])
}

const denominationsOf = (settings: VaultSettings): ReadonlyArray<Denomination> => [
  ...new Set([...knownDenominations, ...settings.denominations])
]

/** Where the contract is not, no vault of the owner is either. */
const holdsNoVault = (user: AccountAddress, view: LedgerView, contract: ContractAddress): boolean =>
  knownDenominations.every((denomination) => {
    const held = heldVault(view, contract, user, denomination)
    return Either.isRight(held) && held.right === null
  })

/** What a vault holds and owes, as far as the contract's settings say. */
interface VaultTokens {
  readonly collateralToken: ContractAddress | undefined
  readonly stablecoin: ContractAddress | undefined
}

const tokensOf = (settings: VaultSettings, denomination: Denomination): VaultTokens => ({
  collateralToken: Either.getOrNull(settings.core)?.collateralToken,
  stablecoin: Either.getOrNull(settings.currency(denomination))?.stablecoin
})

/** A vault to show. */
interface ShownVault extends VaultTokens {
  readonly contract: VaultsContract
  readonly denomination: Denomination
  readonly vault: Vault
}

const isLeavable = ({ kind }: VaultsContract): boolean => kind === "vaults"

const shown = (view: LedgerView, one: ShownVault): Decoded => {
  const { collateralToken, contract, denomination, stablecoin, vault } = one
  const tokens = [collateralToken, stablecoin].flatMap((token) => (token === undefined ? [] : [token]))
  const leavable = isLeavable(contract)
  const position: HeldPosition = {
    protocol: "cdp_1",
    contract: contract.address,
    key: denomination,
    rows: [
      {
        protocol: "cdp_1",
        positionType: "cdp",
        contractAddress: contract.address,
        denomination,
        collateralAmount: `${vault.collateral}`,
        debtAmount: `${vault.debt}`,
        display: display(view, one),
        wasmHash: contract.wasmHash,
        usdValue: null
      }
    ],
    pays: leavable && collateralToken !== undefined ? [collateralToken] : [],
    owes: leavable && stablecoin !== undefined ? [{ token: stablecoin, amount: vault.debt }] : [],
    // `transfer_debt` hands a vault over by its giver's word alone, one a denomination. Such a gift is treated as the owner's own.
    givenUnder: null,
    ...(contract.spec === null ? {} : { knownByInterface: [contract.address] })
  }
  return {
    further: openIn(view, tokens.map(tokenFactsKey)),
    positions: [position],
    unrecognized: [],
    enrichment: enrichmentOf(view, tokens)
  }
}

const display = (
  view: LedgerView,
  { collateralToken, contract, denomination, stablecoin, vault }: ShownVault
): NonNullable<HeldPosition["rows"][number]["display"]> => {
  const collateral = factsOf(view, collateralToken)
  const lent = factsOf(view, stablecoin)
  const amount = collateral.decimals === null ? null : showUnits(vault.collateral, collateral.decimals)
  const debt = `Owes ${lent.decimals === null ? showAmount(vault.debt) : showUnits(vault.debt, lent.decimals)} ${
    lent.symbol ?? denomination
  }.`
  return {
    pool: `${denomination} vault`,
    asset: collateral.symbol,
    amount,
    collateralAmount: amount,
    yieldPct: null,
    yieldKind: null,
    detail: isLeavable(contract) ? debt : `${debt} The protocol was wound down, and its contract no longer allows owners to exit.`
  }
}

const factsOf = (view: LedgerView, token: ContractAddress | undefined) =>
  token === undefined ? { symbol: null, decimals: null } : tokenFacts(view, token)

/** Deposits in a locking pool are seen and not left: each blocks, and so does an entry that cannot be read. */
const lockedIn = (view: LedgerView, user: AccountAddress, pool: ContractAddress, settings: VaultSettings): Decoded => {
  const assets = assetsIn(settings)
  if (assets === null) return unsearched(pool)
  const keys = depositKeys(pool, user, assets)
  return {
    ...noPositions,
    further: openIn(view, keys),
    unrecognized: keys.flatMap((key) =>
      view.state(key)._tag === "Present" || view.state(key)._tag === "Unreadable"
        ? [{
          protocol: "cdp_1" as const,
          contract: pool,
          rawType: "locked deposit",
          reason: "A deposit in the protocol's locking pool. Take it out with the protocol's own tools first."
        }]
        : []
    )
  }
}
