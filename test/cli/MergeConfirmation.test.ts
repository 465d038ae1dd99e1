import { Terminal } from "@effect/platform"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { assert, describe, it, vi } from "@effect/vitest"
import { Account, Keypair, Networks, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect, Mailbox, Option } from "effect"
import { confirming } from "../../src/cli/MergeConfirmation.ts"
import type { BuildWarnings, SigningRequest } from "../../src/client/SigningRequest.ts"
import { warning } from "../../src/domain/Blocker.ts"

const destination = Keypair.random().publicKey()

const key = (name: string): Terminal.UserInput => ({
  input: Option.some(name),
  key: { name, ctrl: false, meta: false, shift: false }
})

/** A person at a terminal who types these characters and Enter at each question, and how many questions there were. */
const person = (characters: string) => {
  let asked = 0
  const terminal = Terminal.Terminal.of({
    columns: Effect.succeed(80),
    rows: Effect.succeed(24),
    isTTY: Effect.succeed(true),
    display: () => Effect.void,
    readLine: Effect.succeed(characters),
    readInput: Effect.gen(function*() {
      asked++
      const keys = yield* Mailbox.make<Terminal.UserInput>()
      yield* keys.offerAll([...[...characters].map(key), { ...key("enter"), input: Option.none() }])
      return keys
    })
  })
  return { terminal, asked: () => asked }
}

const mergeWith = (warnings: BuildWarnings): SigningRequest => {
  const transaction = new TransactionBuilder(new Account(Keypair.random().publicKey(), "41"), {
    fee: "100",
    networkPassphrase: Networks.TESTNET
  }).setTimeout(0).addOperation(Operation.accountMerge({ destination })).build()
  const hash = Buffer.from(transaction.hash()).toString("hex")
  const envelope = transaction.toXdr()
  return { envelope, hash, networkPassphrase: Networks.TESTNET, explanation: [], guaranteedLumens: "1", warnings, signing: [] }
}

const large = warning("envelope_large", "The envelope is large.")
const onOne = warning("single_source", "No second contract RPC responded.")

describe("the confirmation of a merge", () => {
  it.effect("is needed once, and again for each merge that rests on one source", () =>
    Effect.gen(function*() {
      const { asked, terminal } = person(destination.slice(-4))
      const sign = yield* Effect.provideService(
        confirming(({ envelope }) => envelope, { destination, memo: null }),
        Terminal.Terminal,
        terminal
      )
      const askedFor = (...warnings: BuildWarnings) =>
        Effect.gen(function*() {
          const before = asked()
          const signed = sign(mergeWith(warnings))
          yield* Effect.isEffect(signed) ? signed : Effect.dieMessage("no effect")
          return asked() - before
        })
      assert.strictEqual(yield* askedFor(), 1)
      assert.strictEqual(yield* askedFor(), 0)
      assert.strictEqual(yield* askedFor(large), 0)
      assert.strictEqual(yield* askedFor(large, onOne), 1)
      assert.strictEqual(yield* askedFor(onOne), 1)
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("shows an invisible character of the memo", () =>
    Effect.gen(function*() {
      const { terminal } = person(destination.slice(-4))
      const write = yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(process.stdout, "write").mockReturnValue(true)),
        (spy) => Effect.sync(() => spy.mockRestore())
      )
      const memo = { type: "text", value: "47\u200b11" } as const
      const sign = yield* Effect.provideService(confirming(({ envelope }) => envelope, { destination, memo }), Terminal.Terminal, terminal)
      const signed = sign(mergeWith([]))
      yield* Effect.isEffect(signed) ? signed : Effect.dieMessage("no effect")
      assert.include(write.mock.calls.join(""), "with the memo \"47\\u200b11\" (text)")
    }).pipe(Effect.provide(NodeContext.layer)))
})
