import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Stream } from "effect"
import {
  closeAccount,
  type CloseEvent,
  prepareBundle,
  signingPlan,
  TransactionNotVerified,
  UnansweredDecision,
  UnexpectedAnswer
} from "../../src/client/Client.ts"
import { showAmount } from "../../src/domain/Amount.ts"
import { BelowAcceptedMinimum } from "../../src/domain/failure/Planning.ts"
import { HolderWithMarket, Pair } from "../close/support/Accounts.ts"
import { accountOf, lumensOf } from "../close/support/LedgerView.ts"
import { exchanges, lumensAt } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import { closed, optionsFor, served } from "./support/Closes.ts"

const tagsOf = (events: ReadonlyArray<CloseEvent>) => events.map(({ _tag }) => _tag).filter((tag) => tag !== "waiting")

describe("the close by the client", () => {
  it.live("tells every step of a close, with a witness of the caller's own", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(HolderWithMarket())
        const options = optionsFor(service, source, destination.publicKey())
        const before = yield* lumensOf(destination)
        const { events, receipt } = yield* closed({ ...options, witness: service.ledger, accept: "140" })
        assert.strictEqual(yield* accountOf(source), null)
        assert.deepStrictEqual(tagsOf(events).slice(tagsOf(events).indexOf("built")), [
          "built",
          "verified",
          "signed",
          "submitted",
          "confirmed",
          "receipt"
        ])
        const [transaction] = receipt.transactions
        assert.deepStrictEqual(transaction?.outcome?.arrived.map(({ amount }) => amount), [receipt.closed.receivedLumens])
        assert.strictEqual(showAmount((yield* lumensOf(destination)) - before), receipt.closed.receivedLumens)
      })
    ), 120_000)

  it.live("signs nothing where less would arrive than the caller accepts", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("50"))
        const options = optionsFor(service, source, destination.publicKey())
        const stopped = yield* Effect.flip(
          closeAccount({ ...options, accept: "50.1", sign: () => assert.fail("it was to be signed") }).effect
        )
        assert.instanceOf(stopped, BelowAcceptedMinimum)
      })
    ), 120_000)

  it.live("closes into an exchange by the mediator that the caller names, and by no other", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { source } = yield* service.on(Pair("37.5"))
        const { payments } = yield* exchanges
        const options = { ...optionsFor(service, source, payments), memo: { type: "text" as const, value: "customer 42" } }
        const refused = yield* Effect.flip(closeAccount(options).effect)
        assert.instanceOf(refused, UnexpectedAnswer)
        const other = yield* Effect.flip(closeAccount({ ...options, mediator: Keypair.random().publicKey() }).effect)
        assert.instanceOf(other, TransactionNotVerified)
        const bundle = yield* Effect.promise(() => prepareBundle({ ...options, mediator: service.mediator }))
        const signers = signingPlan(bundle ?? assert.fail("it is closed")).map(({ account, by }) => ({ account, by }))
        assert.deepStrictEqual(signers, [{ account: service.mediator, by: "mediator" }, { account: source.publicKey(), by: "signer" }])
        const before = yield* lumensAt(payments)
        const { events, receipt } = yield* closed({ ...options, mediator: service.mediator })
        assert.strictEqual((yield* lumensAt(payments)) - before, 37_4999800n)
        assert.strictEqual(receipt.closed.receivedLumens, "37.4999800")
        assert.deepStrictEqual(tagsOf(events).at(-1), "receipt")
        // A second call returns the same end.
        const again = yield* closed({ ...options, mediator: service.mediator })
        assert.deepStrictEqual(tagsOf(again.events), ["planned", "receipt"])
        assert.strictEqual(again.receipt.closed.hash, receipt.closed.hash)
      })
    ), 120_000)

  it.live("stops at a question that nobody answers, and goes on when called again", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(HolderWithMarket())
        const { decide: _, ...silent } = optionsFor(service, source, destination.publicKey())
        const stopped = yield* Effect.flip(closeAccount(silent).effect)
        assert.instanceOf(stopped, UnansweredDecision)
        assert.deepStrictEqual(stopped.question.options.map(({ id }) => id), ["i_control_this_address"])
        const events = yield* Stream.runCollect(
          closeAccount({ ...silent, decisions: [{ id: stopped.question.id, choice: "i_control_this_address" }] }).events
        )
        assert.deepStrictEqual(tagsOf([...events]).at(-1), "receipt")
        assert.strictEqual(yield* accountOf(source), null)
      })
    ), 120_000)

  it.live("is an async iterator that ends with the receipt", () =>
    served(
      false,
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair())
        const told: Array<string> = []
        yield* Effect.promise(async () => {
          for await (const { _tag } of closeAccount(optionsFor(service, source, destination.publicKey()))) told.push(_tag)
        })
        assert.strictEqual(told.at(-1), "receipt")
      })
    ), 120_000)
})
