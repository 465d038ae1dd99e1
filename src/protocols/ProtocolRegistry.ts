import { Context } from "effect"
import type { ProtocolName } from "../domain/Position.ts"
import type { Protocol } from "./Protocol.ts"

/** The decoders of this service, and what is configured beyond them. */
export class ProtocolRegistry extends Context.Tag("closeout/protocols/ProtocolRegistry")<ProtocolRegistry, {
  /** Every registered decoder, by name. */
  readonly all: ReadonlyArray<Protocol>

  /**
   * Protocols that have addresses on this network and no decoder here, by name. What an account holds in them cannot be seen,
   * so it must never be taken for nothing.
   */
  readonly untracked: ReadonlyArray<ProtocolName>
}>() {}
