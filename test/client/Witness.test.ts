import { assert, describe, it } from "@effect/vitest"
import { Asset, Claimant, Keypair, Networks, Operation } from "@stellar/stellar-sdk"
import { Effect, Fiber, TestClock } from "effect"
import { closeAccount, type Question, TransactionNotVerified, UnansweredDecision } from "../../src/client/Client.ts"
import { outcomeOf } from "../../src/client/Outcome.ts"
import { httpLayer } from "../../src/client/ServiceClient.ts"
import { witnessedAccount } from "../../src/client/Witness.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { HolderWithMarket, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { startTestService } from "../support/TestService.ts"
import { careful } from "./support/CarefulOwner.ts"
import { closed, optionsFor } from "./support/Closes.ts"
import { forged } from "./support/Forged.ts"
import { builtWith, type Change, intercepted } from "./support/Intercepted.ts"

const served = <A, E>(work: Effect.Effect<A, E, Service>) =>
  Effect.scoped(Effect.flatMap(startTestService(), (service) => Effect.provideService(work, Service, service)))

interface Suggested {
  readonly id: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** Plans that suggest a minimum of one lumen for every sale. */
const cheap: Change = ({ body, path }) => {
  const suggested = body["suggestedDecisions"]
  if (!path.endsWith("/close/plan") || !Array.isArray(suggested)) return null
  const lowered = (suggested as ReadonlyArray<Suggested>).map((one) =>
    one.id.startsWith("asset:") ? { ...one, params: { ...one.params, minReceive: "1.0000000" } } : one
  )
  return { ...body, suggestedDecisions: lowered }
}

const never = () => assert.fail("it was to be signed")

/** Answers as a careful owner, except for minimums. */
const honest = (question: Question) => (question.reason === "unanswered" ? careful(question) : null)

type Balances = ReadonlyArray<{ readonly claimants: ReadonlyArray<object> }>

/** Hides every claimable balance. */
const hidden = (): Balances => []

/** Says of every claimable balance that its time is over. */
const overdue = (all: Balances): Balances => {
  const predicate = { type: "before_absolute_time", absBeforeEpoch: "1" }
  return all.map((one) => ({ ...one, claimants: one.claimants.map((claimant) => ({ ...claimant, predicate })) }))
}

/** Built transactions whose sale brings no more than `destMin` for 100 of the asset. */
const soldFor = (destMin: string, { asset, source }: { readonly asset: Asset; readonly source: Keypair }, passphrase: string): Change =>
  builtWith((transaction) =>
    forged(
      transaction,
      passphrase,
      ({ decoded, operations }) =>
        operations.map((operation, index) =>
          decoded[index]?.type === "pathPaymentStrictSend"
            ? Operation.pathPaymentStrictSend({
              source: source.publicKey(),
              sendAsset: asset,
              sendAmount: "100",
              destination: source.publicKey(),
              destAsset: Asset.native(),
              destMin
            })
            : operation
        )
    ) ?? transaction
  )

/** Shows claimable balances in another way, and removes their claims from built transactions. */
const withoutClaims = (passphrase: string, shown: (all: Balances) => Balances): Change => ({ body, path }) => {
  if (path.includes("/account/")) return { ...body, claimableBalances: shown(body["claimableBalances"] as Balances) }
  return builtWith((transaction) =>
    forged(
      transaction,
      passphrase,
      ({ decoded, operations }) => operations.filter((_, index) => decoded[index]?.type !== "claimClaimableBalance")
    ) ?? transaction
  )({ body, path })
}

/** A witness whose address holds a provider's key. */
const keyed = "https://witness.invalid:8000/v2/secret-key?key=secret-key"

describe("the caller's own witness", () => {
  it.effect("is named in failures by its origin alone, however it fails", () =>
    Effect.gen(function*() {
      const refused = () => Promise.reject(new TypeError("fetch failed"))
      const answers: ReadonlyArray<() => Promise<Response>> = [
        refused,
        async () => new Response("no", { status: 500 }),
        async () => new Response("<html>", { status: 200 }),
        async () => Response.json({ result: "nothing" }),
        async () => Response.json({ result: { entries: [{ key: "", xdr: "AAAA" }] } })
      ]
      for (const fetch of answers) {
        for (const witness of [{ rpcUrl: keyed }, { ledgerApiUrl: keyed }]) {
          const failure = yield* Effect.flip(
            Effect.provide(witnessedAccount(witness, Keypair.random().publicKey()), httpLayer(fetch))
          )
          assert.strictEqual(failure._tag, "WitnessUnavailable")
          assert.include(failure.message, "https://witness.invalid:8000 ")
          assert.notInclude(JSON.stringify(failure) + failure.message, "secret-key")
        }
      }
    }))

  it.effect("is waited for ten seconds a call, and twenty for the outcome of a transaction", () =>
    Effect.gen(function*() {
      const calls: Array<AbortSignal> = []
      const hanging: typeof globalThis.fetch = (_, init) =>
        new Promise(() => {
          if (init?.signal instanceof AbortSignal) calls.push(init.signal)
        })
      const [source, destination] = [Keypair.random().publicKey(), Keypair.random().publicKey()]
      const reading = yield* Effect.fork(Effect.flip(Effect.provide(witnessedAccount({ ledgerApiUrl: keyed }, source), httpLayer(hanging))))
      yield* TestClock.adjust("10 seconds")
      assert.include((yield* Fiber.join(reading)).message, "it does not answer within 10s")
      const parties = { source, destination, passphrase: Networks.TESTNET }
      const outcome = yield* Effect.fork(Effect.provide(outcomeOf({ rpcUrl: keyed }, "ab".repeat(32), parties), httpLayer(hanging)))
      for (const passed of ["10 seconds", "1 second", "9 seconds"] as const) yield* TestClock.adjust(passed)
      assert.isNull(yield* Fiber.join(outcome))
      assert.deepStrictEqual(calls.map(({ aborted }) => aborted), [true, true, true])
    }))

  it.live("has the owner asked about a floor far below the market, which is never signed unasked", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { decision, destination, source } = yield* service.on(HolderWithMarket())
      const options = { ...optionsFor(service, source, destination.publicKey()), witness: service.ledger, fetch: intercepted(cheap).fetch }
      const stopped = yield* Effect.flip(closeAccount({ ...options, decide: honest, sign: never }).effect)
      assert.instanceOf(stopped, UnansweredDecision)
      const { againstLumens, floorLumens, id, reason } = stopped.question
      assert.deepStrictEqual([id, reason, floorLumens, againstLumens], [decision, "below_market", "1.0000000", "50.0000000"])
      // An owner who chooses this by name sells for it; the service still builds the sale at the market price.
      const { receipt } = yield* closed({ ...options, decide: careful })
      assert.strictEqual(receipt.closed.receivedLumens.startsWith("149."), true)
    })))

  it.live("has a sale compared with the market, unless the caller wrote its floor", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { asset, decision, destination, source } = yield* service.on(HolderWithMarket())
      const { fetch } = intercepted(soldFor("1", { asset, source }, service.passphrase))
      const sale = { id: decision, choice: "convert_to_native", params: { minReceive: "1.0000000", amount: "100.0000000" } }
      const options = { ...optionsFor(service, source, destination.publicKey()), decisions: [sale], witness: service.ledger, fetch }
      const stopped = yield* Effect.flip(closeAccount({ ...options, echoed: [decision], sign: never }).effect)
      assert.instanceOf(stopped, TransactionNotVerified)
      assert.deepStrictEqual(
        stopped.violations.map(({ rule }) => rule),
        ["floor_below_market"]
      )
      const sign = () => {
        throw new Error("enough was seen")
      }
      assert.strictEqual((yield* Effect.flip(closeAccount({ ...options, sign }).effect))._tag, "CallbackFailed")
    })))

  it.live("is what tells such a floor: without one it is only claimed, and bounded by what the caller accepts", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { destination, source } = yield* service.on(HolderWithMarket())
      const options = { ...optionsFor(service, source, destination.publicKey()), decide: honest, fetch: intercepted(cheap).fetch }
      const stopped = yield* Effect.flip(closeAccount({ ...options, accept: "140", sign: never }).effect)
      assert.include(["BelowAcceptedMinimum", "TransactionNotVerified"], stopped._tag)
      assert.isNotNull(yield* accountOf(source))
    })))

  it.live("is believed over a service that says the account is closed", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { destination, source } = yield* service.on(Pair())
      const to = destination.publicKey()
      const closed = {
        hash: "ab".repeat(32),
        ledger: 7,
        closedAt: null,
        mergedInto: to,
        paidTo: to,
        receivedLumens: "100.0000000",
        memo: null
      }
      const { fetch } = intercepted(({ body, path }) => (path.endsWith("/close/plan") ? { ...body, status: "complete", closed } : null))
      const options = { ...optionsFor(service, source, to), fetch, witness: service.ledger, maxWaitMillis: 1 }
      assert.strictEqual((yield* Effect.flip(closeAccount(options).effect))._tag, "SourcesDisagree")
    })))

  for (const [what, shown] of [["what the service hides", hidden], ["a balance whose time is said to be over", overdue]] as const) {
    it.live(`has no merge signed that leaves behind ${what}`, () =>
      served(Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair())
        const { source: giver } = yield* service.on(Pair())
        yield* service.on(perform("a claimable balance", {
          as: giver,
          operations: [
            Operation.createClaimableBalance({ asset: Asset.native(), amount: "25", claimants: [new Claimant(source.publicKey())] })
          ]
        }))
        const { fetch } = intercepted(withoutClaims(service.passphrase, shown))
        const options = { ...optionsFor(service, source, destination.publicKey()), fetch }
        const stopped = yield* Effect.flip(closeAccount({ ...options, witness: service.ledger, sign: never }).effect)
        assert.instanceOf(stopped, TransactionNotVerified)
        assert.deepStrictEqual(stopped.violations.map(({ rule }) => rule), ["left_behind"])
      })))
  }

  it.live("has a sale bring its whole floor, where the service names more of the asset than there is", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { asset, decision, destination, source } = yield* service.on(HolderWithMarket())
      const inflated = "10000000.0000000"
      const sold = soldFor("0.0004", { asset, source }, service.passphrase)
      const lying: Change = ({ body, path }) => {
        if (!path.includes("/account/")) {
          return sold({ body, path })
        }
        const lines = body["trustlines"] as ReadonlyArray<object>
        return { ...body, trustlines: lines.map((line) => ({ ...line, balance: inflated })) }
      }
      const sale = { id: decision, choice: "convert_to_native", params: { minReceive: "40.0000000", amount: inflated } }
      const options = { ...optionsFor(service, source, destination.publicKey()), decisions: [sale], fetch: intercepted(lying).fetch }
      const { ledgerApiUrl, rpcUrl } = service.ledger
      for (const witness of [{ rpcUrl }, { ledgerApiUrl }]) {
        const stopped = yield* Effect.flip(closeAccount({ ...options, witness, sign: never }).effect)
        assert.instanceOf(stopped, TransactionNotVerified)
        assert.include(
          stopped.violations.map(({ rule }) => rule),
          "sale_floor"
        )
      }
    })))

  it.live("is believed about what is claimable: neither the asset nor the amount is the service's word", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { destination, source } = yield* service.on(Pair())
      const { source: giver } = yield* service.on(Pair())
      yield* service.on(perform("a claimable balance", {
        as: giver,
        operations: [
          Operation.createClaimableBalance({ asset: Asset.native(), amount: "25", claimants: [new Claimant(source.publicKey())] })
        ]
      }))
      const scam = `SCAM:${giver.publicKey()}`
      const relabelled = (all: Balances): Balances => all.map((one) => ({ ...one, asset: scam, amount: "9000.0000000" }))
      const unclaimed = withoutClaims(service.passphrase, relabelled)
      const { fetch } = intercepted((answer) => {
        if (!answer.path.endsWith("/close/plan")) return unclaimed(answer)
        const suggested = answer.body["suggestedDecisions"] as ReadonlyArray<Suggested>
        return { ...answer.body, suggestedDecisions: suggested.filter(({ id }) => !id.startsWith("claim:")) }
      })
      const options = {
        ...optionsFor(service, source, destination.publicKey()),
        decisions: [{ id: "claims:others", choice: "forfeit", params: { maxCount: 1 } }],
        fetch
      }
      const stopped = yield* Effect.flip(closeAccount({ ...options, witness: service.ledger, sign: never }).effect)
      assert.instanceOf(stopped, TransactionNotVerified)
      assert.deepStrictEqual(stopped.violations.map(({ rule }) => rule), ["left_behind"])
    })))

  for (
    const [what, path] of [["claimable balances", "/claimable_balances"], ["price", "/paths/strict-send"], ["account", "/rpc"]] as const
  ) {
    it.live(`is of no use where it answers 404 in place of its ${what}`, () =>
      served(Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(HolderWithMarket())
        const { fetch } = intercepted((answer) => answer.path.startsWith(path) ? new Response("not found", { status: 404 }) : null)
        const options = { ...optionsFor(service, source, destination.publicKey()), witness: service.ledger, fetch }
        const stopped = yield* Effect.flip(closeAccount({ ...options, maxWaitMillis: 1, sign: never }).effect)
        assert.strictEqual(stopped._tag, "WitnessUnavailable")
      })))
  }

  it.live("is of no use where it lists more claimable balances than can be read", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { destination, source } = yield* service.on(Pair())
      const record = {
        id: "00".repeat(36),
        asset: "native",
        amount: "1.0000000",
        last_modified_ledger: 2,
        claimants: [{ destination: source.publicKey(), predicate: { unconditional: true } }],
        paging_token: "1"
      }
      const { fetch } = intercepted(({ path }) =>
        path === "/claimable_balances" ? { _embedded: { records: Array.from({ length: 200 }, () => record) } } : null
      )
      const options = { ...optionsFor(service, source, destination.publicKey()), witness: service.ledger, fetch }
      const stopped = yield* Effect.flip(closeAccount({ ...options, maxWaitMillis: 1, sign: never }).effect)
      assert.strictEqual(stopped._tag, "WitnessUnavailable")
    })))

  for (
    const [what, unreadable] of [
      [
        "balance",
        ({ body, path }) => (path.startsWith("/accounts/") ? { ...body, balances: [{ asset_type: "native", balance: "1e3" }] } : null)
      ],
      [
        "price",
        ({ body, path }) => (path.startsWith("/paths/") ? { ...body, _embedded: { records: [{ destination_amount: "many" }] } } : null)
      ]
    ] as ReadonlyArray<readonly [string, Change]>
  ) {
    it.live(`is of no use where its ${what} cannot be read, which never counts as nothing`, () =>
      served(Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(HolderWithMarket())
        const witness = { ledgerApiUrl: service.ledger.ledgerApiUrl }
        const options = { ...optionsFor(service, source, destination.publicKey()), witness, fetch: intercepted(unreadable).fetch }
        const stopped = yield* Effect.flip(closeAccount({ ...options, decide: honest, maxWaitMillis: 1, sign: never }).effect)
        assert.strictEqual(stopped._tag, "WitnessUnavailable")
      })))
  }
})
