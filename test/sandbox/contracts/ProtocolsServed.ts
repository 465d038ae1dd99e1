import { assert } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer, Redacted } from "effect"
import { sandboxAddress } from "../../../src/chain/NetworkSettings.ts"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import type { Network } from "../../../src/sandbox/Network.ts"
import { type SandboxOptions, startSandbox } from "../../../src/sandbox/Sandbox.ts"
import type { DeployedProtocol } from "../../../src/sandbox/scenarios/SandboxDeployment.ts"
import type { ScenarioFailed } from "../../../src/sandbox/scenarios/Scenario.ts"
import { deployed, type EmbeddedSandbox } from "../../../src/serving/EmbeddedSandbox.ts"
import { Serving } from "../../../src/serving/Serving.ts"
import { answersTo, echo } from "../../close/support/Answering.ts"
import { type Answer, type NextBody, type Offered, plan, type PlanBody, submit } from "../../close/support/Client.ts"
import { accountOf } from "../../close/support/LedgerView.ts"
import { Service } from "../../close/support/Service.ts"
import { signed } from "../../close/support/Signing.ts"
import { startTestService } from "../../support/TestService.ts"

/** A served sandbox on which scenarios deploy only these protocols. */
export const servingOf = (names: ReadonlyArray<DeployedProtocol>, options: SandboxOptions = {}) =>
  Layer.scoped(
    Serving,
    Effect.gen(function*() {
      const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox(options)
      const mediator = Keypair.random()
      const sandbox: EmbeddedSandbox = {
        network,
        contracts: deployed(...names),
        mediator,
        prepared: [],
        registry: { version: "none", lastVerified: "2026-01-01", validUntil: "2999-01-01", source: "a test", entries: [] },
        address: sandboxAddress({ passphrase, rpcUrl, ledgerApiUrl })
      }
      const signer = MediatorSigner.layerSecret(Redacted.make(mediator.secret()))
      return Serving.of({
        sandbox,
        sandboxOnly: true,
        networks: [{ address: sandbox.address, mediator: signer, contracts: sandbox.contracts }]
      })
    })
  )

/** The production service over a sandbox on which scenarios deploy these protocols. */
export const serviceOver = (names: ReadonlyArray<DeployedProtocol>, options: SandboxOptions = {}) =>
  Layer.scoped(Service, startTestService({}, servingOf(names, options)))

/** The production service over a sandbox with lend_1 deployed by the scenario. */
export const lendingService = serviceOver(["lend_1"])

/** The same for cdp_1. */
export const vaultsService = serviceOver(["cdp_1"])

/** Closes a ledger five seconds later, as a real network does. */
export const laterLedger = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: 5 }))

interface Pair {
  readonly source: Keypair
  readonly destination: Keypair
}

/** Runs a scenario and plans its close. */
export const asked = <Scene extends Pair>(scenario: Effect.Effect<Scene, ScenarioFailed, Network>) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const scene = yield* on(scenario)
    yield* laterLedger
    const request = { source: scene.source.publicKey(), destination: scene.destination.publicKey() }
    return { ...scene, request, plan: yield* plan(request) }
  })

const mostCalls = 20

/** An account, and the request for its close. */
interface Asked extends Pick<Pair, "source"> {
  readonly request: { readonly source: string; readonly destination: string }
}

/** Required questions with their first option, and every question about a position with a wished option where it has one. */
const answers = (planned: PlanBody, wished: ReadonlyArray<string>): ReadonlyArray<Answer> => [
  ...answersTo(planned, ...wished),
  ...planned.decisionPoints.filter(({ required }) => !required).flatMap((point) => {
    const choice = wished.find((wish) => point.options.some(({ id }) => id === wish))
    return choice === undefined ? [] : [echo(point, choice)]
  })
]

/** The service's answer to a request for the next transaction. */
type Told =
  | { readonly _tag: "Offered"; readonly offer: Offered }
  | { readonly _tag: "CoolingDown"; readonly unlocksAt: string }

/** Errors for answers to an earlier plan. */
const outdated: ReadonlySet<string> = new Set(["needs_decisions", "invalid_decisions", "plan_changed", "quote_drifted"])

interface Answered extends NextBody {
  readonly error?: { readonly code: string; readonly details?: { readonly unlocksAt?: string } }
}

/** The next transaction for these answers; null: they belong to an outdated plan. */
const told = (request: Asked["request"], decisions: ReadonlyArray<Answer>): Effect.Effect<Told | null, never, Service> =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const { body, status } = yield* call<Answered>("POST", "/v1/testnet/close/transactions", { ...request, decisions })
    if (body.error !== undefined && outdated.has(body.error.code)) return null
    if (body.error?.code === "position_cooling_down") {
      return { _tag: "CoolingDown", unlocksAt: body.error.details?.unlocksAt ?? assert.fail("until when is not said") }
    }
    assert.strictEqual(status, 200, JSON.stringify(body))
    return { _tag: "Offered", offer: body.transactions[0] ?? assert.fail("nothing was offered") }
  })

interface Decided {
  readonly decisions: ReadonlyArray<Answer>
  readonly next: Told
}

/**
 * The next transaction with answers to the newest plan. Decisions about positions change the questions about assets. Where the service
 * rejects the answers, or a wished option appears later, it plans again with the first answers.
 */
const decided = (request: Asked["request"], wished: ReadonlyArray<string>): Effect.Effect<Decided, never, Service> =>
  Effect.gen(function*() {
    const first = answers(yield* plan(request), wished)
    const soon = wished.length === 0 ? yield* told(request, first) : null
    if (soon !== null) return { decisions: first, next: soon }
    const decisions = answers(yield* plan({ ...request, decisions: first }), wished)
    return { decisions, next: (yield* told(request, decisions)) ?? assert.fail("answers to the newest plan are refused") }
  })

/** Signs and submits the offered transaction, and closes a ledger. */
const landed = (source: Asked["source"], { offer }: Extract<Told, { readonly _tag: "Offered" }>) =>
  Effect.gen(function*() {
    const { status } = yield* submit(yield* signed(offer, source))
    assert.strictEqual(status, "success", JSON.stringify(offer))
    yield* laterLedger
  })

/** The kinds of each transaction, and the end of a cooldown (ISO 8601); null: the account is closed. */
interface Course {
  readonly covered: ReadonlyArray<string>
  readonly unlocksAt: string | null
}

/** Builds, signs and submits the next transaction, and closes a ledger; returns the error where the service says to wait. */
export const advanced = ({ request, source }: Asked, ...wished: ReadonlyArray<string>): Effect.Effect<Told, never, Service> =>
  Effect.gen(function*() {
    const { next } = yield* decided(request, wished)
    if (next._tag === "Offered") yield* landed(source, next)
    return next
  })

/** Continues until the account is gone or the service says to wait, with the answers to the first plan as long as they are valid. */
export const pursued = ({ request, source }: Asked, ...wished: ReadonlyArray<string>): Effect.Effect<Course, never, Service> =>
  Effect.gen(function*() {
    const covered: Array<string> = []
    let decisions: ReadonlyArray<Answer> | null = null
    while ((yield* accountOf(source)) !== null) {
      const kept: Told | null = decisions === null ? null : yield* told(request, decisions)
      const now: Decided = kept === null || decisions === null ? yield* decided(request, wished) : { decisions, next: kept }
      decisions = now.decisions
      const { next } = now
      if (next._tag === "CoolingDown") return { covered, unlocksAt: next.unlocksAt }
      yield* landed(source, next)
      covered.push(next.offer.covers.join("+"))
      assert.isBelow(covered.length, mostCalls)
    }
    return { covered, unlocksAt: null }
  })
