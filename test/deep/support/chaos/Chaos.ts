import { assert } from "@effect/vitest"
import type { Keypair } from "@stellar/stellar-sdk"
import { Effect, Either, Fiber, Random } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { closeAccount, type CloseFailure, signWithKey } from "../../../../src/client/Client.ts"
import { parseAmount } from "../../../../src/domain/Amount.ts"
import { Network } from "../../../../src/sandbox/Network.ts"
import { startSandbox } from "../../../../src/sandbox/Sandbox.ts"
import { accountKey } from "../../../../src/xdr/LedgerKeys.ts"
import { careful } from "../../../client/support/CarefulOwner.ts"
import { dice } from "../../../client/support/Dice.ts"
import { settingsFor, staticKey } from "../../../serving/support/Upstream.ts"
import { temporaryFolder } from "../../../support/TemporaryFolder.ts"
import { type ChaosAccount, chaosCast, registryWith } from "./ChaosCast.ts"
import { ledgerFaults } from "./ChaosLedger.ts"
import { faultOf } from "./FaultDraw.ts"
import { killedService } from "./KilledService.ts"

/** The size of the run. */
export interface ChaosOptions {
  readonly closes: number
  /** Seconds in which sources fail and the service is killed. */
  readonly seconds: number
  readonly seed: number
}

/** Failures that neither a source's fault nor a killed process explains. */
const inexcusable: ReadonlySet<string> = new Set([
  "CallbackFailed",
  "InternalError",
  "InvalidOption",
  "TransactionNotVerified",
  "UnexpectedAnswer",
  "UnknownPosition",
  "UnprovenContract"
])

/** Attempts after the last fault, before a close counts as endless. */
const mostInPeace = 5

/** Returns an issuer's asset to the issuer. */
const decide: NonNullable<Parameters<typeof closeAccount>[0]["decide"]> = (question) =>
  careful(question) ?? question.options.find(({ id }) => id === "return_to_issuer")?.id ?? null

const served = Effect.fnUntraced(function*(closes: number) {
  const sandbox = yield* startSandbox({ closeEvery: "1 second", closeOnSubmit: false })
  const cast = yield* Effect.provideService(chaosCast(closes), Network, sandbox.network)
  const registry = join(yield* temporaryFolder, "exchanges.json")
  writeFileSync(registry, registryWith(cast.exchange))
  const service = yield* killedService({
    ...(yield* settingsFor(sandbox)),
    EXCHANGE_REGISTRY_FILE: registry,
    TESTNET_MEDIATOR_SECRET: cast.mediator.secret(),
    TESTNET_MEDIATOR_SWEEP_ACCOUNT: cast.operator
  })
  return { ...cast, network: sandbox.network, service }
})

type Served = Effect.Effect.Success<ReturnType<typeof served>>

const between = (least: number, most: number) => Effect.flatMap(Random.nextIntBetween(least, most), (millis) => Effect.sleep(millis))

/** Sets and clears faults of the sources until it is interrupted. */
const failing = ({ network: { faults } }: Served, seed: number) => {
  const drawn = dice(seed)
  return Effect.forever(Effect.gen(function*() {
    yield* faults.clear()
    for (let count = drawn.below(5); count > 0; count--) yield* faults.set(faultOf(drawn))
    yield* between(300, 3_000)
  })).pipe(Effect.onInterrupt(() => faults.clear()))
}

/** Kills and restarts the service until it is interrupted, never between the two. */
const killing = ({ service }: Served, killed: () => void) =>
  Effect.forever(Effect.zipRight(
    between(3_000, 15_000),
    Effect.uninterruptible(
      Effect.sync(killed).pipe(
        Effect.zipRight(service.kill),
        Effect.zipRight(between(0, 1_500)),
        Effect.zipRight(service.start)
      )
    )
  ))

const isThere = ({ network }: Served, source: Keypair) =>
  Effect.map(network.snapshot, ({ state }) => state.get(accountKey(source.publicKey())) !== undefined)

/** The untruth in a failure; null: the failure is honest. */
const untruthIn = (served: Served, source: Keypair, failure: CloseFailure) =>
  Effect.map(isThere(served, source), (there) => {
    const wrong = inexcusable.has(failure._tag) || (failure._tag === "AccountNotFound" && there)
    return wrong ? `${failure._tag}: ${failure.message}` : null
  })

/** Closes an account in as many attempts as needed; returns the stroops of its receipt. */
const closedOnce = (served: Served, { destination, memo, source }: ChaosAccount, watched: {
  readonly isPeace: () => boolean
  readonly refused: Map<string, number>
  readonly untrue: Array<string>
}) =>
  Effect.gen(function*() {
    const { mediator, network: { passphrase }, service } = served
    let inPeace = 0
    yield* between(0, 5_000)
    while (inPeace < mostInPeace) {
      if (watched.isPeace()) inPeace++
      const ended = yield* Effect.either(
        closeAccount({
          baseUrl: "http://service.invalid",
          apiKey: staticKey,
          network: "testnet",
          networkPassphrase: passphrase,
          source: source.publicKey(),
          destination,
          ...(memo === null ? {} : { memo: { type: "text" as const, value: memo }, mediator: mediator.publicKey() }),
          decide,
          fetch: service.fetch,
          maxWaitMillis: watched.isPeace() ? 60_000 : 10_000,
          sign: signWithKey(source)
        }).effect
      )
      if (Either.isRight(ended)) return parseAmount(ended.right.closed.receivedLumens)
      const failure = ended.left
      watched.refused.set(failure._tag, (watched.refused.get(failure._tag) ?? 0) + 1)
      const untruth = yield* untruthIn(served, source, failure)
      if (untruth !== null) watched.untrue.push(`${source.publicKey()}: ${untruth}`)
      yield* between(200, 2_000)
    }
    return null
  })

/** Approximate seconds of one close: it limits the number of accounts. */
const secondsEach = 15

/**
 * Closes accounts in parallel over a real service whose sources fail at random and which is killed at random. Checks the ledger afterwards.
 * Returns the counts of closes, kills and errors.
 */
export const chaos = ({ closes, seconds, seed }: ChaosOptions) =>
  Effect.scoped(Effect.gen(function*() {
    const all = yield* served(Math.ceil(closes * (1 + seconds / secondsEach)))
    const { accounts, mediator, network, service } = all
    const first = yield* network.snapshot
    let [isPeace, kills, begun] = [false, 0, 0]
    const watched = { isPeace: () => isPeace, refused: new Map<string, number>(), untrue: new Array<string>() }
    const disturbances = Effect.all([failing(all, seed), killing(all, () => void kills++)], { concurrency: 2, discard: true })
    const disturbing = yield* Effect.fork(Effect.zipRight(
      Effect.timeoutOption(disturbances, `${seconds} seconds`),
      Effect.sync(() => {
        isPeace = true
      })
    ))
    const closed: Array<{ readonly account: ChaosAccount; readonly received: bigint }> = []
    const endless: Array<string> = []
    const closing = Effect.gen(function*() {
      while (!watched.isPeace() && begun < accounts.length) {
        const account = accounts[begun++]
        if (account === undefined) return
        const received = yield* closedOnce(all, account, watched)
        if (received === null || (yield* isThere(all, account.source))) endless.push(account.source.publicKey())
        else closed.push({ account, received })
      }
    })
    yield* Effect.all(Array.from({ length: closes }, () => closing), { concurrency: "unbounded", discard: true })
    yield* Fiber.interrupt(disturbing)
    yield* service.kill
    const faults = ledgerFaults(yield* network.snapshot, first, mediator.publicKey(), closed)
    assert.deepStrictEqual([...faults, ...watched.untrue, ...service.unexplained], [])
    assert.deepStrictEqual(endless, [], "closes that never ended")
    return { closed: closed.length, kills, refused: watched.refused }
  }))
