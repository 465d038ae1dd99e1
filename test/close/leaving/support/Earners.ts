import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { Network } from "../../../../src/sandbox/Network.ts"
import { perform, type ScenarioFailed } from "../../../../src/sandbox/scenarios/Scenario.ts"
import { type advanced, asked, lendingService } from "../../../sandbox/contracts/ProtocolsServed.ts"
import { answersTo, echo } from "../../support/Answering.ts"
import { type Answer, type NextBody, type Offered, offered, plan, type PlanBody, submit } from "../../support/Client.ts"
import { accountOf } from "../../support/LedgerView.ts"
import { Service } from "../../support/Service.ts"
import { signed } from "../../support/Signing.ts"
import { Backs, Lends, LendsSinceNow, OwesRewards, SpendsRewards, unpaid } from "./Emissions.ts"

const EXIT = "EXIT_POSITIONS"
const BUY = "buy_repay_asset_then_exit"

/** The largest amount that is not worth a claim, base units of the reward token. */
export const SPECK = 1_000_000n

export const functionsOf = ({ intent: { operations } }: Offered) =>
  operations.flatMap((one) => (one.type === "invoke_contract" ? [one.function] : []))

export const passing = (seconds: number) => Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: seconds }))

type Pursued = Parameters<typeof advanced>[0]

interface Held extends Pursued {
  /** The newest. */
  readonly plan: PlanBody
  readonly blnd: { readonly getCode: () => string; readonly getIssuer: () => string | undefined }
}

interface Planned {
  readonly planned: PlanBody
  readonly decisions: ReadonlyArray<Answer>
}

/** Answers as the owner would: required questions with their first option, and wished choices where they are offered. */
const answered = (
  request: Held["request"],
  first: PlanBody,
  wished: ReadonlyArray<string>,
  spend: string
): Effect.Effect<Planned, never, Service> =>
  Effect.gen(function*() {
    const chosen = first.decisionPoints.flatMap((point) => {
      const option = wished.find((wish) => point.options.some(({ id }) => id === wish))
      if (point.type !== "position" || option === undefined) return []
      return [echo(point, option, option === BUY ? { spendAsset: spend } : {})]
    })
    const others = (planned: PlanBody) => answersTo(planned).filter(({ id }) => !chosen.some((one) => one.id === id))
    const second = yield* plan({ ...request, decisions: [...others(first), ...chosen] })
    return { planned: second, decisions: [...others(second), ...chosen] }
  })

/** The next transaction for earlier answers; null: they are out of date, or the close waits. */
const going = (request: Held["request"], decisions: ReadonlyArray<Answer>) =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const { body, status } = yield* call<NextBody>("POST", "/v1/testnet/close/transactions", { ...request, decisions })
    if (status !== 200) return null
    assert.lengthOf(body.transactions, 1)
    return body.transactions[0] ?? null
  })

/** Seconds that a call stays valid where one signer suffices. */
const oneSigner = 300

/** The signers of an account. Who takes longer than one signer has are two: their calls stay valid for half an hour. */
const signersOf = ({ source }: Pick<Held, "source">, seconds: number) =>
  Effect.gen(function*() {
    if (seconds < oneSigner) return [source]
    const { on } = yield* Service
    const second = Keypair.random()
    yield* on(perform("two of two sign", {
      as: source,
      operations: [
        Operation.setOptions({
          signer: { ed25519PublicKey: second.publicKey(), weight: 1 },
          masterWeight: 1,
          lowThreshold: 1,
          medThreshold: 2,
          highThreshold: 2
        })
      ]
    }))
    yield* passing(5)
    return [source, second]
  })

/** The calls of a close, in order, for an owner whose signers take this many seconds for every transaction. */
export const closing = (held: Held, seconds: number, ...wished: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { sandbox } = yield* Service
    const signers = yield* signersOf(held, seconds)
    const names: Array<string> = []
    let left = 0n
    let given: ReadonlyArray<Answer> | null = null
    const spend = `${held.blnd.getCode()}:${held.blnd.getIssuer()}`
    while ((yield* accountOf(held.source)) !== null) {
      let transaction: Offered | null = given === null ? null : yield* going(held.request, given)
      if (transaction === null) {
        const { decisions, planned }: Planned = yield* answered(
          held.request,
          given === null ? held.plan : yield* plan(held.request),
          wished,
          spend
        )
        given = decisions
        assert.deepStrictEqual(planned.blockers, [], `${names.join()}`)
        if (planned.estimate.waitUntil !== null && planned.steps.every(({ type }) => type !== EXIT)) {
          const { state } = yield* sandbox.snapshot
          yield* passing(Date.parse(planned.estimate.waitUntil) / 1000 - Number(state.header.closeTime))
          continue
        }
        transaction = yield* offered({ ...held.request, decisions })
      }
      const envelope = yield* signed(transaction, ...signers)
      yield* passing(seconds)
      assert.strictEqual((yield* submit(envelope)).status, "success", names.join())
      names.push(...functionsOf(transaction))
      left = unpaid((yield* sandbox.snapshot).state, held.source)
      yield* passing(5)
      assert.isBelow(names.length, 24, names.join())
    }
    return { names, left }
  })

/** An account whose rewards accrue at thousandths of a week's emission. */
type Scenario<Scene> = (thousandths: bigint) => Effect.Effect<Scene, ScenarioFailed, Network>

/** Thousandths of a week's emission. At a thousand of them a supplier of 200 in 50,200 gets 0.000659 BLND a ledger. */
const rates = { "0.001": 1_517n, "0.01": 15_170n, "0.1": 151_700n, "1": 1_517_000n, "10": 15_170_000n }

interface Supplier {
  /** BLND a ledger. */
  readonly rate: keyof typeof rates
  /** Seconds until a transaction is signed. */
  readonly seconds: number
  readonly what: string
  readonly scenario: typeof Lends
}

const supplier = (rate: Supplier["rate"]): ReadonlyArray<Supplier> => [
  { rate, seconds: 5, what: "has just begun to", scenario: LendsSinceNow },
  { rate, seconds: 1_700, what: "does so for days", scenario: Lends },
  { rate, seconds: 1_700, what: "has just begun to", scenario: LendsSinceNow }
]

export const suppliers = [...supplier("0.001"), ...supplier("0.01"), ...supplier("0.1"), ...supplier("1"), ...supplier("10")]

/** Checks that a supplier claims, if at all, after the position is left, and leaves only rewards below the cost of a claim. */
export const claimsLast = ({ rate, scenario, seconds }: Supplier) =>
  Effect.gen(function*() {
    const { left, names } = yield* closing(yield* asked(scenario(rates[rate])), seconds)
    assert.match(names.join(), /^submit(,claim)?$/)
    assert.isTrue(left <= SPECK, `${left} left by ${names.join()}`)
  }).pipe(Effect.provide(lendingService))

interface Needy {
  readonly what: string
  readonly scenario: Scenario<Omit<Held, "plan" | "request"> & { readonly destination: Held["source"] }>
  readonly wished: ReadonlyArray<string>
  readonly expected: RegExp
  readonly thousandths: bigint
  readonly seconds: number
}

const paces = [[1_000n, 5], [1_000n, 1_700], [50_000n, 1_700]] as const

const needy = (one: Omit<Needy, "thousandths" | "seconds">): ReadonlyArray<Needy> =>
  paces.map(([thousandths, seconds]) => ({ ...one, thousandths, seconds }))

/** Accounts that need their rewards before they can leave. */
export const allNeedy = [
  ...needy({ what: "owes the reward token", scenario: OwesRewards, wished: [], expected: /^claim,submit(,claim)?$/ }),
  ...needy({ what: "spends the reward token on its debt", scenario: SpendsRewards, wished: [BUY], expected: /^claim,submit(,claim)?$/ }),
  ...needy({
    what: "backs the pool",
    scenario: Backs,
    wished: [],
    expected: /^claim,queue_withdrawal(,claim,queue_withdrawal)*(,exit_pool|,withdraw)*$/
  })
]

/** The supplier claims before the exit, and again only where that is worth it. */
export const claimsFirst = ({ expected, scenario, seconds, thousandths, wished }: Needy) =>
  Effect.gen(function*() {
    const held = yield* asked(scenario(thousandths))
    const { left, names } = yield* closing(held, seconds, ...wished)
    assert.match(names.join(), expected)
    assert.isTrue(left <= SPECK, `${left} left by ${names.join()}`)
  }).pipe(Effect.provide(lendingService))
