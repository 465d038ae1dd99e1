import { Config, Effect } from "effect"
import { NetworkSettings } from "../../chain/NetworkSettings.ts"
import type { ContractAddress } from "../../domain/Address.ts"
import type { Network } from "../../domain/Network.ts"
import type { OutsideProtocol, ProtocolName } from "../../domain/ProtocolName.ts"
import { ContractAddresses } from "../../registry/ContractAddresses.ts"
import type { ProtocolCode, ProtocolContracts } from "../../registry/ContractAddresses.ts"

/** What the contracts file of a network says of one protocol. */
export interface ListedContracts<Role extends string> {
  /** The contracts in one role. */
  readonly inRole: (role: Role) => ReadonlyArray<ContractAddress>
  /** The code that is known, by kind. */
  readonly code: ProtocolCode
  /** Whether code that is not listed may count as known by what it declares (`CODE_BY_INTERFACE`). */
  readonly byInterface: boolean
  /** The ledger up to which the file lists everything that these contracts deployed; 0 where it does not claim so of each of them. */
  readonly listedTo: (deployers: ReadonlyArray<ContractAddress>) => number
}

/** Contracts by role. */
type ByRole<Role extends string> = { readonly [One in Role]?: ReadonlyArray<ContractAddress> }

/** What a decoder from another package says of itself, for where the contracts file does not name its protocol. */
export interface OwnContracts<Role extends string> {
  /** Its contracts by role on each network; on one that is left out there are none. */
  readonly contracts: { readonly [On in Network | "sandbox"]?: ByRole<Role> }
  /** SHA-256 of the wasm it was written for, in hex, by kind. */
  readonly code: ProtocolCode
}

/** `CODE_BY_INTERFACE`: whether code that is not listed may count as known by what it declares. Default: `on`. */
export const codeByInterfaceSetting: Config.Config<boolean> = Config.literal("on", "off")("CODE_BY_INTERFACE").pipe(
  Config.withDefault("on"),
  Config.map((value) => value === "on")
)

const rolesIn = (listed: ProtocolContracts | undefined): ByRole<string> => (listed === undefined || listed === "none" ? {} : listed)

const listing = <Role extends string>(
  name: ProtocolName,
  roles: ReadonlyArray<Role>,
  { code, contracts }: { readonly contracts: ByRole<string>; readonly code: ProtocolCode }
): Effect.Effect<ListedContracts<Role>, never, ContractAddresses> =>
  Effect.gen(function*() {
    const { listedTo = {} } = yield* ContractAddresses
    const unknown = Object.keys(contracts).filter((role) => !roles.some((one) => one === role))
    if (unknown.length > 0) {
      return yield* Effect.dieMessage(`contracts file: ${name} has no role ${unknown.join(", ")}; those it has are ${roles.join(", ")}`)
    }
    return {
      byInterface: yield* Effect.orDie(codeByInterfaceSetting),
      inRole: (role) => contracts[role] ?? [],
      code,
      listedTo: (deployers) => (deployers.length === 0 ? 0 : Math.min(...deployers.map((contract) => listedTo[contract] ?? 0)))
    }
  })

/**
 * The contracts of a protocol that reads these roles and no others. A misspelt role in the contracts file, or one without a reader, would hide
 * what is held there, so it stops the start.
 */
export const listedContracts = <Role extends string>(
  name: ProtocolName,
  roles: ReadonlyArray<Role>
): Effect.Effect<ListedContracts<Role>, never, ContractAddresses> =>
  Effect.flatMap(
    ContractAddresses,
    ({ code, protocols }) => listing(name, roles, { contracts: rolesIn(protocols[name]), code: code?.[name] ?? {} })
  )

/** The same of a protocol from another package: what it declares, unless the contracts file names it. */
export const ownContracts = <Role extends string>(
  name: OutsideProtocol,
  roles: ReadonlyArray<Role>,
  own: OwnContracts<Role>
): Effect.Effect<ListedContracts<Role>, never, ContractAddresses | NetworkSettings> =>
  Effect.gen(function*() {
    const { network, sandbox } = yield* NetworkSettings
    const { code, protocols } = yield* ContractAddresses
    const listed = protocols[name]
    const contracts = listed === undefined ? own.contracts[sandbox ? "sandbox" : network] ?? {} : rolesIn(listed)
    return yield* listing(name, roles, { contracts, code: code?.[name] ?? own.code })
  })
