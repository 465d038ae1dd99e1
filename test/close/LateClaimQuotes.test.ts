import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { Latency } from "../../src/sandbox/faults/Connection.ts"
import { sandboxPassphrase } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../sandbox/contracts/ProtocolsServed.ts"
import { jumping, secondsOf } from "../support/JumpingClock.ts"
import { layer } from "../support/Layered.ts"
import { tokensService } from "./leaving/tokens/support/DeclaredTokens.ts"
import { acceptOf } from "./support/Accepting.ts"
import { Buyer, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { type Asked, offered, plan, refusal } from "./support/Client.ts"
import { accountOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"

const issuer = Keypair.random()
const assetOf = (code: string) => new Asset(code, issuer.publicKey())
const [listed, unlisted, between] = [assetOf("LISTED"), assetOf("OTHER"), assetOf("BETWEEN")]
const tokenList = [listed.contractId(sandboxPassphrase)]

/** Books that lead from both assets over a third one to lumens. */
const Books = Effect.gen(function*() {
  yield* fund("100", issuer)
  yield* Buyer(between, "10000", "0.5")
  yield* perform("the issuer's offers", {
    as: issuer,
    operations: [listed, unlisted].map((buying) => Operation.manageSellOffer({ selling: between, buying, amount: "5000", price: "1" }))
  })
})

/** An account, its plan, and the answers of a close that leaves behind what comes later. */
const Planned = Effect.gen(function*() {
  const { on } = yield* Service
  if ((yield* accountOf(issuer)) === null) yield* on(Books)
  const { destination, source } = yield* on(Pair())
  yield* laterLedger
  const request = { source: source.publicKey(), destination: destination.publicKey() }
  const first = yield* plan(request)
  yield* laterLedger
  const later = echo(pointOf(first, "later"), "leave_what_came_later", { maxLumensEach: "1" })
  return { confirmed: acknowledges(request.destination), first, later, request }
})

/** A claimable balance of an asset without a trustline, which comes now. */
const give = (asset: Asset, { source }: { readonly source: string }) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    yield* on(perform("it is given", {
      as: issuer,
      operations: [Operation.createClaimableBalance({ asset, amount: "500", claimants: [new Claimant(source)] })]
    }))
    yield* laterLedger
  })

layer(tokensService([], {}, tokenList), { excludeTestServices: true })(
  "a claim of an asset without a trustline that came later",
  (it) => {
    it.effect("is asked about by a build too where its quote exceeds the answer's limit", () =>
      Effect.gen(function*() {
        const { confirmed, later, request } = yield* Planned
        yield* give(listed, request)
        const decisions = [confirmed, later]
        const { decisionPoints } = yield* plan({ ...request, decisions })
        const asked = decisionPoints.filter(({ type }) => type === "claim").map(({ id }) => id)
        assert.lengthOf(asked, 1)
        const { code, details } = yield* refusal("next", { ...request, decisions })
        assert.strictEqual(code, "needs_decisions")
        assert.includeMembers([...(details["missing"] as ReadonlyArray<string>)], asked)
      }), 60_000)
  }
)

/** One query about markets at a time: a slow ledger API then has no time for a way of two books. */
const oneAtATime = { LEDGER_API_CONCURRENCY: "1" }

/** Work while every answer of the ledger API takes 5.9 s, just less than one answer is waited for. */
const slowly = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const { faults } = (yield* Service).sandbox
    yield* faults.set({ fault: new Latency({ millis: 5_900 }), rest: "*" })
    return yield* Effect.ensuring(work, faults.clear())
  })

const refusedSlowly = (request: Asked) => Effect.map(slowly(refusal("next", request)), ({ code }) => code)

const builtSlowly = (request: Asked) =>
  Effect.map(slowly(offered(request)), ({ intent: { operations } }) => operations.map(({ type }) => type))

layer(Layer.provideMerge(tokensService([], {}, tokenList, oneAtATime), jumping), { excludeTestServices: true })(
  "a merge that leaves behind a claim without a quote, because there was no time for one,",
  (it) => {
    it.effect("is not built where the claim came later and may be worth more than the answer leaves behind", () =>
      Effect.gen(function*() {
        const { confirmed, later, request } = yield* Planned
        yield* give(listed, request)
        assert.strictEqual(yield* refusedSlowly({ ...request, decisions: [confirmed, later] }), "deadline_exceeded")
      }), 60_000)

    it.effect("is not built where the request accepts a plan", () =>
      Effect.gen(function*() {
        const { confirmed, first, request } = yield* Planned
        yield* give(listed, request)
        assert.strictEqual(yield* refusedSlowly({ ...request, accept: acceptOf(first), decisions: [confirmed] }), "deadline_exceeded")
      }), 60_000)

    it.effect("is not built where one answer gives up all claims without a buyer", () =>
      Effect.gen(function*() {
        const { confirmed, request } = yield* Planned
        yield* give(unlisted, request)
        const others = { id: "claims:others", choice: "forfeit", params: { maxCount: 10 } }
        assert.strictEqual(yield* refusedSlowly({ ...request, decisions: [confirmed, others] }), "deadline_exceeded")
      }), 60_000)

    it.effect("is built where no quote of the claim counts: its asset is not in the token list", () =>
      Effect.gen(function*() {
        const { confirmed, later, request } = yield* Planned
        yield* give(unlisted, request)
        const [built, seconds] = yield* secondsOf(builtSlowly({ ...request, decisions: [confirmed, later] }))
        assert.deepStrictEqual(built, ["account_merge"])
        assert.isBelow(seconds, 15, "nor does it wait for one")
      }), 60_000)
  }
)
