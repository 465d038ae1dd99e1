import { Context, Effect, Layer } from "effect"
import type { ComponentHealth } from "../domain/Health.ts"
import { isOutside, type OutsideProtocol, type ProtocolName } from "../domain/ProtocolName.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import { type ListsRead, type ProtocolGap, ProtocolRegistry } from "./ProtocolRegistry.ts"

/** What of a network no account read looks into: protocols by name, and contract tokens as a whole. */
export type UnreadPart = ProtocolName | "tokens"

/** What this service can read of one network. What it cannot read it does not close over. */
export class Coverage extends Context.Tag("closeout/protocols/Coverage")<Coverage, {
  /** Protocols with addresses on this network and no decoder, by name. */
  readonly protocols: ReadonlyArray<ProtocolName>
  /** Every registered protocol, by name, and what people call it. */
  readonly registered: ReadonlyArray<{ readonly name: ProtocolName; readonly label: string }>
  /** Registered protocols from other packages, by name. */
  readonly outside: ReadonlyArray<OutsideProtocol>
  /** Whether contract tokens are declared on this network: then nothing is closed where they were not read. */
  readonly tokens: boolean
  /** All of that; empty: accounts on this network can be closed. */
  readonly unread: ReadonlyArray<UnreadPart>
  /**
   * Gaps in the lists of contracts read so far. An account that may hold something there needs a decision by its owner. Sends no request.
   */
  readonly lists: Effect.Effect<ListsRead>
}>() {
  /** By the contracts file and the registered decoders. Balances in contract tokens are read everywhere. */
  static readonly layer = Layer.effect(
    Coverage,
    Effect.gen(function*() {
      const { all, labelOf, lists, untracked } = yield* ProtocolRegistry
      const tokens = (yield* ContractAddresses).tokens !== "none"
      const registered = all.map(({ name }) => ({ name, label: labelOf(name) }))
      const outside = all.map(({ name }) => name).filter((name) => isOutside(name))
      return Coverage.of({ protocols: untracked, registered, outside, tokens, unread: untracked, lists })
    })
  )
}

const gapText = ({ gap: { fromLedger, toLedger }, protocol }: ProtocolGap): string =>
  `contracts of ${protocol} that were deployed in ledgers ${fromLedger} to ${toLedger} may be unknown (npm run contracts:scan)`

/** That a contract of the file runs code which no list has, in words. */
export const changedCode = ({ contract, protocol }: ListsRead["unlisted"][number]): string =>
  `${contract} of ${protocol} runs code that the contracts file does not list`

/** Coverage as a component of the health report. It fails no probe: waiting does not change it. */
export const coverageHealth = (
  unread: ReadonlyArray<UnreadPart>,
  { gaps, unlisted }: Pick<ListsRead, "gaps" | "unlisted">
): ComponentHealth => {
  const messages = [
    ...(unread.length === 0 ? [] : [`no account can be closed: ${unread.join(", ")} cannot be read`]),
    ...gaps.map(gapText),
    ...unlisted.map(changedCode)
  ]
  return messages.length === 0 ? { status: "up" } : { status: "up", message: messages.join("; ") }
}
