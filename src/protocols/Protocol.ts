import type { ProtocolName } from "../domain/Position.ts"

/** A decoder for one protocol: the port through which positions are read and left. */
export interface Protocol {
  readonly name: ProtocolName
}
