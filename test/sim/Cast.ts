import type { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import type { Dice } from "../client/support/Dice.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountBeside, marketsFor, type Stage } from "../deep/support/campaign/Stage.ts"
import { type Story, storyOf } from "../deep/support/campaign/Story.ts"
import type { Exchange } from "./World.ts"

/** An account that is to be closed, and what its owner knows. */
export interface Closing {
  readonly name: string
  readonly kind: "plain" | "classic" | "mediated" | "positions"
  readonly source: Keypair
  readonly destination: string
  readonly memo: string | null
  readonly story: Story
  /** What is in contracts, and the markets there; null for an account without. */
  readonly stage: Stage | null
}

const withPositions = Effect.fnUntraced(function*(markets: Pick<Stage, "market" | "amm1">, story: Story) {
  const stage = yield* accountBeside(markets, story)
  return { source: stage.source, destination: stage.destination.publicKey(), memo: null, stage }
})

const withoutPositions = Effect.fnUntraced(function*(kind: Closing["kind"], exchange: Exchange) {
  const { destination, source }: { readonly source: Keypair; readonly destination: Keypair } = yield* kind === "classic"
    ? DemoAccount
    : Pair("37.5")
  return kind === "mediated"
    ? { source, destination: exchange.address, memo: exchange.memo, stage: null }
    : { source, destination: destination.publicKey(), memo: null, stage: null }
})

/** Makes so many accounts of several kinds on a network, and the markets of their positions. */
export const castOf = Effect.fnUntraced(function*(count: number, seed: number, dice: Dice, exchange: Exchange) {
  const markets = yield* marketsFor(true)
  const made: Array<Closing> = []
  for (let at = 0; at < count; at++) {
    const kind = dice.pick<Closing["kind"]>(["plain", "classic", "mediated", "positions", "positions", "positions"])
    const drawn = storyOf(seed * 1_000 + at)
    // Many pairs stand at fixed addresses: a second account could not have them.
    const story: Story = { ...drawn, given: { ...drawn.given, pairs: 0 } }
    const account = kind === "positions" ? yield* withPositions(markets, story) : yield* withoutPositions(kind, exchange)
    made.push({ name: `${kind} ${at}`, kind, story, ...account })
  }
  return { closings: made, markets }
})
