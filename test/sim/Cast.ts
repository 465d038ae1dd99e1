import type { Keypair } from "@stellar/stellar-sdk"
import { Effect, Struct } from "effect"
import { Network } from "../../src/sandbox/Network.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import type { Dice } from "../client/support/Dice.ts"
import { Pair } from "../close/support/Accounts.ts"
import { accountBeside, type Stage } from "../deep/support/campaign/Stage.ts"
import { type Story, storyOf } from "../deep/support/campaign/Story.ts"
import { borrower, type Participant, staker } from "./Borrower.ts"
import { everyMarket, type Markets } from "./Markets.ts"
import type { Exchange } from "./World.ts"

type Kind = "plain" | "classic" | "mediated" | "positions" | "borrower" | "staker"

/** An account to close, and its owner's knowledge. */
export interface Closing {
  readonly name: string
  readonly kind: Kind
  readonly source: Keypair
  readonly destination: string
  readonly memo: string | null
  readonly story: Story
  /** Shares of pools and contract tokens, with their markets; null for an account without. */
  readonly stage: Stage | null
  /** Remaining holdings in other protocols. */
  readonly leftIn: Participant["leftIn"]
}

/** Most accounts are plain, as on a real network; one with positions takes as long as ten of them. */
const weights: Readonly<Record<Kind, number>> = { plain: 24, classic: 2, mediated: 2, positions: 3, borrower: 1, staker: 0 }

const kinds: ReadonlyArray<Kind> = Struct.keys(weights).flatMap((kind) => Array.from({ length: weights[kind] }, () => kind))

type Made = Omit<Closing, "name" | "kind" | "story">

const nothing = { memo: null, stage: null, leftIn: () => [] }

const participating = ({ destination, leftIn, source }: Participant): Made => ({
  ...nothing,
  source,
  destination: destination.publicKey(),
  leftIn
})

/** The sources of an account beside its story. */
interface Drawing {
  readonly dice: Dice
  readonly exchange: Exchange
  /** Index of the account. */
  readonly number: number
}

/** Makes the account of a closing. */
const accountOf = Effect.fnUntraced(
  function*(kind: Kind, story: Story, markets: Markets, { dice, exchange, number }: Drawing) {
    const { passphrase } = yield* Network
    switch (kind) {
      case "positions": {
        const stage: Stage = yield* accountBeside(markets, story)
        return { ...nothing, source: stage.source, destination: stage.destination.publicKey(), stage }
      }
      case "borrower":
        return participating(yield* borrower(markets, passphrase, dice, number))
      case "staker":
        return participating(yield* staker(markets, passphrase))
      case "classic": {
        const { destination, source } = yield* DemoAccount
        return { ...nothing, source, destination: destination.publicKey() }
      }
      default: {
        const { destination, source } = yield* Pair("37.5")
        return kind === "mediated"
          ? { ...nothing, source, destination: exchange.address, memo: exchange.memo }
          : { ...nothing, source, destination: destination.publicKey() }
      }
    }
  }
)

/** Creates this many accounts of several kinds on a network, and the markets of their positions. */
export const castOf = Effect.fnUntraced(function*(count: number, seed: number, dice: Dice, exchange: Exchange) {
  const markets = yield* everyMarket
  const drawn = Array.from(
    { length: count },
    (_, at) => ({ at, kind: at === 0 && dice.chance(0.2) ? "staker" as const : dice.pick(kinds) })
  )
  const made: Array<Closing> = []
  // Vaults open first, because their prices age while rewards of others accrue.
  for (const { at, kind } of [...drawn.filter((one) => one.kind === "borrower"), ...drawn.filter((one) => one.kind !== "borrower")]) {
    const { given, ...others } = storyOf(seed * 1_000 + at)
    // Many pairs have fixed addresses: a second account cannot have them.
    const story: Story = { ...others, given: { ...given, pairs: 0 } }
    made.push({ name: `${kind} ${at}`, kind, story, ...yield* accountOf(kind, story, markets, { dice, exchange, number: at }) })
  }
  return { closings: made, markets }
})
