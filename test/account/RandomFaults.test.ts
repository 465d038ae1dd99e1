import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, LiquidityPoolAsset, Operation, type xdr } from "@stellar/stellar-sdk"
import { Context, Effect, Exit, FastCheck } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { ErrorTable } from "../../src/api/ErrorTable.ts"
import { CutConnection, Hang, Latency } from "../../src/sandbox/faults/Connection.ts"
import type { FaultRule } from "../../src/sandbox/faults/FaultRule.ts"
import { LaggingLedgerApi } from "../../src/sandbox/faults/LimitedServer.ts"
import { GarbageBody, WrongShape } from "../../src/sandbox/faults/MalformedAnswers.ts"
import { TooManyRequests } from "../../src/sandbox/faults/RateLimiting.ts"
import { GatewayTimeout, RpcError, ServiceUnavailable } from "../../src/sandbox/faults/ServerErrors.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { sponsorshipsOf } from "../../src/stellar/Entries.ts"
import { isThorough } from "../support/Thorough.ts"
import { freshReader, sandbox } from "./support/Endpoints.ts"
import { claimsWhole, shown, truthOf } from "./support/Truth.ts"
import { addressOf, timed } from "./support/World.ts"

const kinds = ["line", "offer", "data", "signer", "pool", "claimable", "own claimable", "sponsored data", "sponsored line"] as const
type Kind = (typeof kinds)[number]

/** The account to read, and a second account that issues, sends and sponsors. */
interface People {
  readonly owner: Keypair
  readonly other: Keypair
}

/** Adds an entry of a kind; `at` makes its name unique. */
const add = (kind: Kind, at: number, { other, owner }: People): Effect.Effect<unknown, unknown, Network> => {
  const asset = (name: string) => new Asset(`${name}${at}`, other.publicKey())
  const balance = Operation.createClaimableBalance({ asset: Asset.native(), amount: "1", claimants: [new Claimant(owner.publicKey())] })
  const mine = (...operations: ReadonlyArray<xdr.Operation>) => perform(kind, { as: owner, operations })
  const sponsor = (operation: xdr.Operation) =>
    perform(kind, {
      as: owner,
      signedBy: [owner, other],
      operations: [
        Operation.beginSponsoringFutureReserves({ sponsoredId: other.publicKey() }),
        operation,
        Operation.endSponsoringFutureReserves({ source: other.publicKey() })
      ]
    })
  switch (kind) {
    case "line":
      return mine(Operation.changeTrust({ asset: asset("L") }))
    case "offer":
      return mine(
        Operation.changeTrust({ asset: asset("O") }),
        Operation.manageSellOffer({ selling: Asset.native(), buying: asset("O"), amount: "1", price: "1" })
      )
    case "data":
      return mine(Operation.manageData({ name: `entry ${at}`, value: "x" }))
    case "signer":
      return mine(Operation.setOptions({ signer: { ed25519PublicKey: Keypair.random().publicKey(), weight: 1 } }))
    case "pool":
      return mine(
        Operation.changeTrust({ asset: asset("P") }),
        Operation.changeTrust({ asset: new LiquidityPoolAsset(Asset.native(), asset("P"), 30) })
      )
    case "claimable":
      return perform(kind, { as: other, operations: [balance] })
    case "own claimable":
      return mine(balance)
    case "sponsored data":
      return sponsor(Operation.manageData({ name: `entry ${at}`, value: "x", source: other.publicKey() }))
    case "sponsored line":
      return sponsor(Operation.changeTrust({ asset: new Asset(`S${at}`, owner.publicKey()), source: other.publicKey() }))
  }
}

const oneOf = FastCheck.constantFrom

const times = FastCheck.option(FastCheck.integer({ min: 1, max: 3 }), { nil: null })

const limited = <Rule extends object>(rule: Rule, most: number | null) => (most === null ? rule : { ...rule, times: most })

const answers = oneOf(
  new TooManyRequests({}),
  new TooManyRequests({ retryAfterSeconds: 1 }),
  new TooManyRequests({ retryAfterSeconds: 40 }),
  new ServiceUnavailable({}),
  new GatewayTimeout({}),
  new Hang({}),
  new CutConnection({}),
  new GarbageBody({}),
  new WrongShape({}),
  new Latency({ millis: 700 })
)

const rpc = oneOf("*" as const, "getNetwork" as const, "getLedgerEntries" as const, "getLatestLedger" as const)
const rest = oneOf("*", "/", "/accounts", "/accounts/:id", "/offers", "/claimable_balances")

const rule: FastCheck.Arbitrary<FaultRule> = FastCheck.oneof(
  FastCheck.tuple(answers, rpc, times).map(([fault, target, most]): FaultRule => limited({ fault, rpc: target }, most)),
  FastCheck.tuple(answers, rest, times).map(([fault, target, most]): FaultRule => limited({ fault, rest: target }, most)),
  FastCheck.tuple(rpc, times).map(([target, most]): FaultRule =>
    limited({ fault: new RpcError({ code: -32603, message: "broken" }), rpc: target }, most)
  ),
  // Lags are the faults that could make a list short without anything failing: as likely as all the others.
  ...Array.from(
    { length: 3 },
    () =>
      FastCheck.tuple(oneOf(1, 2, 3, 8), oneOf("*", "/accounts", "/accounts/:id", "/offers", "/claimable_balances"), times).map((
        [ledgers, target, most]
      ): FaultRule => limited({ fault: new LaggingLedgerApi({ ledgers }), rest: target }, most))
  )
)

const situation = FastCheck.record({
  holds: FastCheck.array(oneOf(...kinds), { maxLength: 6 }),
  /** The last payments from others, which the account does not count. */
  sent: FastCheck.integer({ min: 0, max: 3 }),
  faults: FastCheck.array(rule, { maxLength: 3 }),
  /** A change just before the request of that number; none without a kind. */
  meanwhile: FastCheck.record({ kind: FastCheck.option(oneOf(...kinds)), request: FastCheck.integer({ min: 1, max: 12 }) }),
  second: FastCheck.boolean()
})

describe("an account read", () => {
  it.effect.prop(
    "never claims to be whole while something is missing",
    [situation],
    ([{ faults, holds, meanwhile, second, sent }]) =>
      Effect.gen(function*() {
        const network = yield* Network
        const people: People = { owner: Keypair.random(), other: Keypair.random() }
        const { owner } = people
        yield* fund("1000", owner, people.other)
        yield* Effect.forEach(
          [...holds, ...Array.from({ length: sent }, () => "claimable" as const)],
          (kind, at) => add(kind, at, people),
          { discard: true }
        )
        const before = yield* truthOf(owner)

        let requests = 0
        const change = meanwhile.kind === null
          ? Effect.void
          : Effect.orDie(Effect.provideService(add(meanwhile.kind, 99, people), Network, network))
        const reader = Context.get(
          yield* freshReader(
            second,
            (_, send) => Effect.suspend(() => (++requests === meanwhile.request ? Effect.zipRight(change, send) : send))
          ),
          AccountReader
        )
        yield* Effect.forEach(faults, network.faults.set, { discard: true })
        const { exit } = yield* timed(Effect.either(reader.read(addressOf(owner), [])), 25_000)
        if (Exit.isFailure(exit)) return yield* exit
        if (exit.value._tag === "Left") {
          assert.isNotEmpty(faults, "failed without a fault")
          assert.include([502, 503, 504], ErrorTable[exit.value.left._tag].status)
          return
        }
        const snapshot = exit.value.right
        const after = yield* truthOf(owner)
        const found = shown(snapshot)
        for (const [key, entry] of found) assert.include([before.get(key), after.get(key)], entry, "something that never was")
        if (!claimsWhole(snapshot)) {
          assert.isTrue(faults.length > 0 || meanwhile.kind !== null, "incomplete without a reason")
          return
        }
        for (const key of before.keys()) if (after.has(key)) assert.isTrue(found.has(key), "an entry is missing")
        const { state } = snapshot
        assert.isAtLeast(state.sponsoredEntries.length, sponsorshipsOf(snapshot.accountEntry).numSponsoring)
        if (faults.length === 0 && meanwhile.kind === null) assert.deepStrictEqual(found, after)
      }).pipe(Effect.scoped, Effect.provide(sandbox())),
    { fastCheck: { numRuns: isThorough ? 40 : 10 }, timeout: 120_000 }
  )
})
