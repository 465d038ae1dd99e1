import type { ProtocolName } from "../../domain/ProtocolName.ts"
import type { Situation } from "./Situation.ts"

/** What people call a protocol; its name where it was not read, or has no other. */
export const labelIn = ({ snapshot: { protocols } }: Pick<Situation, "snapshot">, name: ProtocolName): string =>
  protocols.find(({ protocol }) => protocol.name === name)?.protocol.label ?? name
