import type { Keypair } from "@stellar/stellar-sdk"
import { Console, Effect } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { Network } from "../../src/sandbox/Network.ts"
import { LendingAndVaults } from "../../src/sandbox/scenarios/LendingAndVaults.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import type { ScenarioFailed } from "../../src/sandbox/scenarios/Scenario.ts"
import { deployed } from "../../src/serving/EmbeddedSandbox.ts"
import { LendingDebt } from "../../test/support/scenarios/LendingDebt.ts"
import { readerOver } from "./Reader.ts"
import { row } from "./Table.ts"
import { depthOf, type Exchange, makeUpstream, pastFacts } from "./Upstream.ts"

const latency = 25

/** A scenario with an account among protocols. */
export type Held = Effect.Effect<{ readonly source: Keypair }, ScenarioFailed, Network>

/** Accounts by their holdings. */
export const accounts: ReadonlyArray<readonly [string, Held]> = [
  ["no positions", LendingNewcomer],
  ["supply and debt in lend_1", LendingDebt],
  ["positions in lend_1 and cdp_1", LendingAndVaults]
]

/** The first read of a service, which also discovers the contracts outside of the file, and the next one. */
export const coldAndWarm = (held: Held) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(latency)
    return yield* Effect.gen(function*() {
      const { source } = yield* held
      const reader = yield* AccountReader
      const read = reader.read(AccountAddress.make(source.publicKey()), [])
      yield* upstream.take
      const { state } = yield* read
      yield* pastFacts
      const cold = yield* upstream.take
      yield* read
      return { positions: state.defiPositions.positions.length, cold, warm: yield* upstream.take }
    }).pipe(Effect.provide(readerOver(upstream, deployed("lend_1", "cdp_1"))))
  })

const keysPerCall = (exchanges: ReadonlyArray<Exchange>): string =>
  exchanges.filter(({ keys }) => keys > 0).map(({ keys }) => keys).join("+")

/** Cost of positions: calls, sequential round trips and keys, of the very first read and of later ones. */
export const positions = Effect.gen(function*() {
  yield* Console.log(
    `${latency} ms for each upstream request; lend_1 and cdp_1 are deployed; keys: of each call for ledger entries, in turn.`
  )
  yield* Console.log(row(["account", "rows", "requests", "depth"]) + "   keys")
  for (const [name, held] of accounts) {
    const { cold, positions, warm } = yield* coldAndWarm(held)
    for (const [when, exchanges] of [["first", cold], ["later", warm]] as const) {
      yield* Console.log(
        `${row([`${name}, ${when} read`, String(positions), String(exchanges.length), String(depthOf(exchanges))])}   ${
          keysPerCall(exchanges)
        }`
      )
    }
  }
})
