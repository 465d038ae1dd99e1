/**
 * cdp_1 is FxDAO: vaults that lend a stablecoin against collateral (https://github.com/FxDAO/FxDAO-SC, contracts/vaults, 0.6.0).
 *
 * Reads entries `Vault`, `VaultIndex` and the instance (`CoreState`, `Currency`, `VaultsInfo`) of the vaults contract, and deposits of the
 * locking pool, which are reported and not left. Asks its oracle for `lastprice`, which only warns, and the contract for
 * `get_vaults`, to find the vault below in the list, which is confirmed by its entry.
 * Calls `pay_debt` for the whole debt, which also returns the collateral, and nothing else.
 */
import { Effect } from "effect"
import type { Layer } from "effect"
import type { ContractAddress } from "../domain/Address.ts"
import type { ContractAddresses } from "../registry/ContractAddresses.ts"
import { instanceKey } from "../stellar/ContractKeys.ts"
import { leaveVault } from "./cdp1/LeaveVault.ts"
import { payDebtProblem } from "./cdp1/PayDebtProblem.ts"
import { readVaults } from "./cdp1/ReadVaults.ts"
import { knownDenominations, vaultKeys } from "./cdp1/VaultKey.ts"
import type { VaultsKind } from "./cdp1/VaultsCode.ts"
import { type KnownCode, knownCode } from "./kit/KnownCode.ts"
import { listedContracts } from "./kit/ListedContracts.ts"
import { part } from "./Place.ts"
import { layer as register } from "./Protocol.ts"
import type { Protocol, Registrations } from "./Protocol.ts"

/** Where the protocol lives, and what its contracts may run. */
export interface Cdp1Settings {
  readonly vaults: ReadonlyArray<ContractAddress>
  readonly lockingPools: ReadonlyArray<ContractAddress>
  /** What the vaults contract may run. */
  readonly code: KnownCode<VaultsKind>
  /** Whether it may also run code that declares what the decoder relies on (`CODE_BY_INTERFACE`); left out: it may. */
  readonly byInterface?: boolean
}

/** A vaults contract, and the locking pools whose deposits are shown with it. */
interface VaultsFacts {
  readonly contract: ContractAddress
  readonly lockingPools: ReadonlyArray<ContractAddress>
}

export const cdp1 = ({ byInterface = true, code, lockingPools, vaults }: Cdp1Settings): Protocol => {
  const running = { known: code, byInterface }
  const vault = part<VaultsFacts>("vaults", {
    keys: ({ contract }, user) => [
      instanceKey(contract),
      ...knownDenominations.flatMap((denomination) => vaultKeys(contract, user, denomination))
    ],
    decode: (facts, user, view) => readVaults(user, view, facts, running),
    exit: ({ contract }, denomination, context) => leaveVault(contract, denomination, context, running)
  })
  return {
    name: "cdp_1",
    label: "FxDAO",
    code: [...code.keys()],
    contracts: [...vaults, ...lockingPools],
    places: vaults.map((contract, index) => vault({ contract, lockingPools: index === 0 ? lockingPools : [] })),
    problem: (_call, error) => payDebtProblem(error)
  }
}

/** Roles of the contracts file, each read. */
const roles = ["vaults", "lockingPool"] as const

/** The locking pool keeps no list of its assets: the vaults name them. */
const lockedWithoutVaults = "contracts file: cdp_1 has a lockingPool and no vaults, which name the assets to look for in it"

/** Over the addresses of this network. Kinds of code: `vaults`, `woundDown`; vaults code that is not listed is known by what it declares. */
export const layer: Layer.Layer<never, never, ContractAddresses | Registrations> = register(
  Effect.flatMap(listedContracts("cdp_1", roles), ({ byInterface, code, inRole }) => {
    const [vaults, lockingPools] = [inRole("vaults"), inRole("lockingPool")]
    return lockingPools.length > 0 && vaults.length === 0
      ? Effect.dieMessage(lockedWithoutVaults)
      : Effect.succeed(cdp1({ vaults, lockingPools, code: knownCode(code, "vaults", "woundDown"), byInterface }))
  })
)
