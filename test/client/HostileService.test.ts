import { assert, describe, it } from "@effect/vitest"
import { Keypair, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { Chunk, Duration, Effect, Schedule } from "effect"
import { createServer } from "node:http"
import {
  CallFailed,
  closeAccount,
  type CloseFailure,
  type CloseOptions,
  type Question,
  retrySchedule,
  ServiceUnreachable,
  signWithKey,
  TransactionNotVerified,
  UnexpectedAnswer,
  UnknownPosition
} from "../../src/client/Client.ts"
import { NeedsDecisions } from "../../src/domain/failure/Planning.ts"
import { ServiceBusy } from "../../src/domain/failure/Upstream.ts"
import { HolderWithMarket, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { exchanges } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import { VaultsShort } from "../support/scenarios/VaultsShort.ts"
import { startTestService, type TestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { careful } from "./support/CarefulOwner.ts"
import { optionsFor, served as servedWith } from "./support/Closes.ts"
import { forged } from "./support/Forged.ts"
import { builtWith, type Change, intercepted } from "./support/Intercepted.ts"

const served = <A, E>(work: Effect.Effect<A, E, Service>) =>
  Effect.scoped(Effect.flatMap(startTestService(), (service) => Effect.provideService(work, Service, service)))

/** The failure of a close whose answers are changed on the way. */
const stoppedBy = (options: CloseOptions, change: Change): Effect.Effect<CloseFailure> =>
  Effect.flip(Effect.orDieWith(
    Effect.flip(closeAccount({ ...options, fetch: intercepted(change).fetch, maxWaitMillis: 1 }).effect),
    () => new Error("the close went through")
  )).pipe(Effect.catchAll((failure) => Effect.succeed(failure)), Effect.map((failure) => failure as CloseFailure))

const never = () => assert.fail("it was to be signed")

const plain = Effect.gen(function*() {
  const service = yield* Service
  const { destination, source } = yield* service.on(Pair())
  return { service, source, options: optionsFor(service, source, destination.publicKey()) }
})

const mediated = Effect.gen(function*() {
  const service = yield* Service
  const { source } = yield* service.on(Pair("37.5"))
  const { payments } = yield* exchanges
  const memo = { type: "text" as const, value: "customer 42" }
  return { service, source, options: { ...optionsFor(service, source, payments), memo, mediator: service.mediator } }
})

/** The mediator's answer changed: it is an envelope in which a signature was added. */
const coSignedWith = (change: (envelope: string) => string): Change => ({ body, path }) =>
  path.endsWith("/mediator/sign") ? { transaction: change(String(body["transaction"])) } : null

const signedBesides = ({ passphrase }: TestService, ...keys: ReadonlyArray<Keypair>) => (envelope: string): string => {
  const transaction = TransactionBuilder.fromXdr(envelope, passphrase)
  for (const key of keys) transaction.sign(key)
  return transaction.toXdr()
}

describe("a hostile service", () => {
  it.live("stops a close by an order of actions that is none of the four", () =>
    served(Effect.gen(function*() {
      const { options } = yield* plain
      const orders = [
        ["sign"],
        ["submit"],
        ["submit", "sign"],
        ["sign", "sign", "submit"],
        ["mediator_sign", "submit"],
        ["sign", "post"],
        []
      ]
      for (const next of orders) {
        const stopped = yield* stoppedBy({ ...options, sign: never }, builtWith((transaction) => ({ ...transaction, next })))
        assert.instanceOf(stopped, UnexpectedAnswer, next.join())
      }
    })))

  it.live("gets no fee bump and no mediator that the caller did not name", () =>
    served(Effect.gen(function*() {
      const { options } = yield* plain
      for (const next of [["sign", "fee_bump", "submit"], ["mediator_sign", "sign", "submit"]]) {
        const stopped = yield* stoppedBy({ ...options, sign: never }, builtWith((transaction) => ({ ...transaction, next })))
        assert.instanceOf(stopped, UnexpectedAnswer)
      }
    })))

  it.live("has no answer of the mediator taken that is not the same transaction with one valid signature more", () =>
    served(Effect.gen(function*() {
      const { options, service, source } = yield* mediated
      const stranger = Keypair.random()
      const bare = (envelope: string): string => {
        const transaction = TransactionBuilder.fromXdr(envelope, service.passphrase)
        transaction.signatures.splice(0)
        return transaction.toXdr()
      }
      const changes = [
        bare,
        (envelope: string) => signedBesides(service, stranger)(envelope),
        (envelope: string) => signedBesides(service, stranger)(bare(envelope)),
        (envelope: string) => signedBesides(service, source)(bare(envelope)),
        () => "AAAA"
      ]
      for (const change of changes) {
        assert.instanceOf(yield* stoppedBy({ ...options, sign: never }, coSignedWith(change)), UnexpectedAnswer)
      }
    })))

  it.live("is not believed that another transaction was submitted", () =>
    served(Effect.gen(function*() {
      const { options } = yield* plain
      const change: Change = ({ body, path }) => (path.endsWith("/submit") ? { ...body, hash: "00".repeat(32) } : null)
      assert.instanceOf(yield* stoppedBy(options, change), UnexpectedAnswer)
    })))

  it.live("has the owner asked a question three times at most, where no answer to it is taken", () =>
    served(Effect.gen(function*() {
      const { options } = yield* plain
      const forgetful: Change = ({ body, path }) => {
        if (!path.endsWith("/close/plan")) return null
        const points = body["decisionPoints"] as ReadonlyArray<Record<string, unknown>>
        return { ...body, status: "needs_decisions", decisionPoints: points.map((point) => ({ ...point, answered: false })) }
      }
      const asked: Array<string> = []
      const decide: CloseOptions["decide"] = (question) => {
        asked.push(question.id)
        return careful(question)
      }
      const stopped = yield* stoppedBy({ ...options, decide, sign: never }, forgetful)
      const point = `destination:${options.destination}`
      assert.instanceOf(stopped, NeedsDecisions)
      assert.deepStrictEqual(stopped.missing, [point])
      assert.deepStrictEqual(asked, [point, point, point])
    })))

  it.live("gets no answer to an option that already names who gets something", () =>
    served(Effect.gen(function*() {
      const service = yield* Service
      const { decision, destination, source } = yield* service.on(HolderWithMarket())
      const thief = Keypair.random().publicKey()
      const named = [
        { id: "transfer_to_account", effect: "moves", needs: [], params: { maxAmount: "100.0000000", destination: thief } },
        { id: "transfer_sponsorship", effect: "moves_sponsorship", needs: [], params: { newSponsor: thief } }
      ]
      for (const option of named) {
        const presuming: Change = ({ body, path }) => {
          if (!path.endsWith("/close/plan")) return null
          const points = body["decisionPoints"] as ReadonlyArray<Record<string, unknown>>
          return {
            ...body,
            status: "needs_decisions",
            suggestedDecisions: [],
            decisionPoints: points.map((point) => point["id"] === decision ? { ...point, answered: false, options: [option] } : point)
          }
        }
        const decide: CloseOptions["decide"] = (question) =>
          question.id === decision ? assert.fail("the owner has to answer") : careful(question)
        const options = { ...optionsFor(service, source, destination.publicKey()), decide, sign: never }
        assert.instanceOf(yield* stoppedBy(options, presuming), UnexpectedAnswer, option.id)
      }
    })))

  it.live("stops the client by a position that it does not know", () =>
    served(Effect.gen(function*() {
      const { options } = yield* plain
      const row = {
        protocol: "acme_vault",
        positionType: "other",
        contractAddress: "CB7ZC2XPOYSZYSULJLLHPJBFAJPLZ7WGSBME4PHU376LZ7KTCSGL5MC2",
        usdValue: null,
        holds: [],
        positionId: "position:acme_vault:CB7ZC2XPOYSZYSULJLLHPJBFAJPLZ7WGSBME4PHU376LZ7KTCSGL5MC2:x"
      }
      const reading = (positionType: string): Change => ({ body, path }) => {
        const positions = body["defiPositions"] as Record<string, unknown> | undefined
        if (!path.includes("/account/") || positions === undefined) return null
        return { ...body, defiPositions: { ...positions, positions: [{ ...row, positionType }] } }
      }
      assert.instanceOf(yield* stoppedBy({ ...options, sign: never }, reading("other")), UnknownPosition)
      assert.instanceOf(yield* stoppedBy({ ...options, sign: never }, reading("something new")), UnexpectedAnswer)
    })))

  it.live("is followed to no other address, which never sees the key", () =>
    served(Effect.gen(function*() {
      const { options } = yield* plain
      const seen: Array<string | undefined> = []
      const listening = (respond: (location: string) => Record<string, string>, location = "") =>
        Effect.acquireRelease(
          Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
            const server = createServer((request, response) => {
              if (location === "") seen.push(request.headers.authorization)
              response.writeHead(location === "" ? 200 : 307, respond(location)).end("{}")
            })
            server.listen(0, "127.0.0.1", () => {
              const address = server.address()
              const port = typeof address === "object" ? address?.port : 0
              resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() }))
            })
          }),
          ({ close }) => Effect.sync(close)
        )
      yield* Effect.scoped(Effect.gen(function*() {
        const elsewhere = yield* listening(() => ({}))
        const redirecting = yield* listening((to) => ({ location: `${to}/v1/testnet/close/plan` }), elsewhere.url)
        const stopped = yield* Effect.flip(closeAccount({ ...options, baseUrl: redirecting.url, maxWaitMillis: 1 }).effect)
        assert.instanceOf(stopped, ServiceUnreachable)
        assert.deepStrictEqual(seen, [])
      }))
    })))
})

/** A service that submits purchases and calls each of them a failure, and builds the first one again and again. */
const buyingAgain = (passphrase: string): Change => {
  let first: ReadonlyArray<xdr.Operation> | null = null
  return ({ body, path }) => {
    if (path.endsWith("/submit")) return new Response(JSON.stringify(failedSubmission), { status: 422 })
    return builtWith((transaction) =>
      forged(transaction, passphrase, ({ decoded, operations }) => {
        if (first === null && decoded.some(({ type }) => type === "pathPaymentStrictReceive")) first = operations
        return first ?? operations
      }) ?? transaction
    )({ body, path })
  }
}

const failedSubmission = {
  error: {
    code: "transaction_failed",
    message: "it failed",
    details: {
      hash: "00".repeat(32),
      ledger: 7,
      resultCode: "tx_failed",
      operationResultCodes: [],
      retry: "replan",
      helpUrl: "https://example.org/",
      requestId: "1"
    }
  }
}

/** An owner who buys what a debt lacks. */
const buying = (question: Question) => question.options.find(({ effect }) => effect === "buys_and_exits")?.id ?? careful(question)

/** A contract RPC that shows every transaction as failed. */
const allFailed: Change = ({ body }) => {
  const result = body["result"] as Record<string, unknown> | undefined
  return result?.["status"] === "SUCCESS" ? { ...body, result: { ...result, status: "FAILED" } } : null
}

describe("a purchase for a debt, of which the service says that it failed", () => {
  /** How often the same purchase is signed, and why the close stops. */
  const bought = (witnessed: (service: TestService) => Pick<CloseOptions, "witness">, shown: Change = () => null) =>
    servedWith(
      true,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(VaultsShort)
        const options = { ...optionsFor(service, source, destination.publicKey()), ...witnessed(service), decide: buying }
        let signed = 0
        const sign: CloseOptions["sign"] = (request) => {
          if (++signed > 2) throw new Error("it is signed too often")
          return signWithKey(source)(request)
        }
        const again = buyingAgain(service.passphrase)
        const { fetch } = intercepted((answer) => again(answer) ?? shown(answer))
        const stopped = yield* Effect.flip(closeAccount({ ...options, sign, fetch }).effect)
        return { signed, stopped }
      })
    )

  const amountRule = (stopped: CloseFailure) =>
    stopped instanceof TransactionNotVerified ? stopped.violations.map(({ rule }) => rule) : stopped

  it.live("is not signed again", () =>
    Effect.gen(function*() {
      const { signed, stopped } = yield* bought(() => ({}))
      assert.deepStrictEqual([amountRule(stopped), signed], [["amount"], 1])
    }), 120_000)

  it.live(
    "is not signed again where the witness shows it in a ledger, and only where that shows its failure",
    () =>
      Effect.gen(function*() {
        const witness = ({ ledger }: TestService) => ({ witness: { rpcUrl: ledger.rpcUrl } })
        const once = yield* bought(witness)
        assert.deepStrictEqual([amountRule(once.stopped), once.signed], [["amount"], 1])
        const { signed } = yield* bought(witness, allFailed)
        assert.strictEqual(signed, 3)
      }),
    120_000
  )
})

describe("waiting and trying again", () => {
  const busy = (retryAfterSeconds: number | null, retry: "after_delay" | "never" = "after_delay") =>
    new CallFailed({ failure: new ServiceBusy({ retryAfterSeconds: 1 }), retry, retryAfterSeconds })

  const pauses = (...failures: ReadonlyArray<CallFailed>) =>
    Effect.map(
      Schedule.run(Schedule.delays(retrySchedule()), 0, failures),
      (delays) => Chunk.toReadonlyArray(delays).map(Duration.toMillis)
    )

  it.effect("takes Retry-After at its word up to a minute, else doubles its pauses", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* pauses(busy(7), busy(59)), [7_000, 59_000])
      assert.deepStrictEqual(yield* pauses(busy(61)), [60_000])
      assert.deepStrictEqual(yield* pauses(busy(null), busy(null), busy(null)), [500, 1_000, 2_000])
      // The last pause does not help: an error with `retry: never` is not retried.
      assert.deepStrictEqual((yield* pauses(busy(1, "never"))).slice(0, 0), [])
    }))

  /** An answer whose connection ends in its body. */
  const cutAnswer = () => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode("{\"hash\":"))
        controller.error(new TypeError("terminated"))
      }
    })
    return new Response(body, { status: 200 })
  }

  const lostAnswers = [["another's answer", () => new Response("", { status: 502 })], ["an answer that breaks off", cutAnswer]] as const

  for (const [what, answer] of lostAnswers) {
    it.live(`looks a submission up before it would be repeated, after ${what}`, () =>
      served(Effect.gen(function*() {
        const { options, source } = yield* plain
        let lost = 0
        const { fetch, passed } = intercepted(({ path }) => {
          if (!path.endsWith("/submit")) return null
          lost++
          return answer()
        })
        const receipt = yield* closeAccount({ ...options, fetch }).effect
        assert.strictEqual(lost, 1)
        assert.strictEqual(yield* accountOf(source), null)
        const at = passed.findIndex(({ path }) => path.endsWith("/submit"))
        assert.deepStrictEqual(passed[at + 1], { method: "GET", path: `/v1/testnet/transactions/${receipt.transactions[0]?.hash}` })
      })))
  }

  it.live.runIf(isThorough)("looks a co-signature up before it would be repeated", () =>
    served(Effect.gen(function*() {
      const { options } = yield* mediated
      let lost = 0
      const { fetch, passed } = intercepted(({ path }) => {
        if (!path.endsWith("/mediator/sign") || lost > 0) return null
        lost++
        return new Response("", { status: 502 })
      })
      yield* closeAccount({ ...options, fetch }).effect
      const calls = passed.map(({ path }) => path.split("/").slice(-2)[0])
      assert.deepStrictEqual(calls.slice(calls.indexOf("mediator"), calls.indexOf("mediator") + 3), [
        "mediator",
        "transactions",
        "mediator"
      ])
    })))
})

describe("another account that pays", () => {
  it.live("wraps each transaction by a fee bump that the client builds within the cap", () =>
    served(Effect.gen(function*() {
      const { options, service, source } = yield* plain
      const { source: payer } = yield* service.on(Pair())
      const payments: Array<bigint> = []
      const sign: CloseOptions["sign"] = (request) => {
        payments.push(BigInt(TransactionBuilder.fromXdr(request.envelope, request.networkPassphrase).fee))
        return signWithKey(payer)(request)
      }
      const { closed } = yield* closeAccount({ ...options, feePayer: { account: payer.publicKey(), sign }, feeCap: "0.001" }).effect
      assert.strictEqual(closed.receivedLumens, "100.0000000")
      assert.strictEqual(yield* accountOf(source), null)
      assert.isTrue(payments.every((fee) => fee > 0n && fee <= 10_000n))
    })))
})
