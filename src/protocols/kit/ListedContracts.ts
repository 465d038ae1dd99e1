import { Config, Effect } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { ProtocolName } from "../../domain/Position.ts"
import { ContractAddresses } from "../../registry/ContractAddresses.ts"
import type { ProtocolCode } from "../../registry/ContractAddresses.ts"

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

/**
 * The contracts of a protocol that reads these roles and no others. One that is misspelt in the contracts file, or that nobody reads, would hide
 * what is held there, so it stops the start.
 */
export const listedContracts = <Role extends string>(
  name: ProtocolName,
  roles: ReadonlyArray<Role>
): Effect.Effect<ListedContracts<Role>, never, ContractAddresses> =>
  Effect.gen(function*() {
    const { code, listedTo = {}, protocols } = yield* ContractAddresses
    const listed = protocols[name] === "none" ? {} : protocols[name]
    const unknown = Object.keys(listed).filter((role) => !roles.some((one) => one === role))
    if (unknown.length > 0) {
      return yield* Effect.dieMessage(`contracts file: ${name} has no role ${unknown.join(", ")}; those it has are ${roles.join(", ")}`)
    }
    const byInterface = yield* Effect.orDie(Config.literal("on", "off")("CODE_BY_INTERFACE").pipe(Config.withDefault("on")))
    return {
      byInterface: byInterface === "on",
      inRole: (role) => listed[role] ?? [],
      code: code?.[name] ?? {},
      listedTo: (deployers) => (deployers.length === 0 ? 0 : Math.min(...deployers.map((contract) => listedTo[contract] ?? 0)))
    }
  })
