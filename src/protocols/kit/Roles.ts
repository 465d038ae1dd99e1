import { Effect } from "effect"
import type { ContractAddress } from "../../domain/Address.ts"
import type { ProtocolName } from "../../domain/Position.ts"
import { ContractAddresses } from "../../registry/ContractAddresses.ts"

/** The contracts that a file lists in one role. */
export type InRole<Role extends string> = (role: Role) => ReadonlyArray<ContractAddress>

/**
 * The contracts of a protocol on this network by role, for a protocol that has these roles and no others. One that is misspelt in the
 * contracts file would hide what is held there, so it stops the start.
 */
export const contractsInRoles = <Role extends string>(name: ProtocolName, roles: ReadonlyArray<Role>): Effect.Effect<InRole<Role>, never, ContractAddresses> =>
  Effect.gen(function*() {
    const { protocols } = yield* ContractAddresses
    const listed = protocols[name] === "none" ? {} : protocols[name]
    const unknown = Object.keys(listed).filter((role) => !roles.some((one) => one === role))
    if (unknown.length > 0) return yield* Effect.dieMessage(`contracts file: ${name} has no role ${unknown.join(", ")}`)
    return (role) => listed[role] ?? []
  })
