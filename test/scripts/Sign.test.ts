import { assert } from "@effect/vitest"
import { Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { NotSigned, signedBody } from "../../scripts/sign.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "../close/support/Accounts.ts"
import { answersTo } from "../close/support/Answering.ts"
import { next, plan, submit } from "../close/support/Client.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { exchanges } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import { layer } from "../support/Layered.ts"

const memo = { type: "text", value: "customer 42" } as const

/** The script's output for an answer as it came over HTTP. */
const sign = (answer: unknown, key: Keypair | string, passphrase?: string) =>
  signedBody(JSON.stringify(answer), { secret: typeof key === "string" ? key : key.secret(), passphrase })

const refused = (answer: unknown, key: Keypair | string, passphrase?: string): string => {
  try {
    sign(answer, key, passphrase)
  } catch (failure) {
    assert.instanceOf(failure, NotSigned)
    return failure.message
  }
  return assert.fail("it was signed")
}

const coSigned = (transaction: string) =>
  Effect.flatMap(Service, ({ call }) => call<{ transaction: string }>("POST", "/testnet/mediator/sign", { transaction }))

layer(Service.layer(), { excludeTestServices: true })("npm run sign", (it) => {
  it.effect("signs what close/transactions hands over, once, however often it is asked", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const decisions = answersTo(yield* plan(request))
      const { remark, signedXdr } = sign(yield* next({ ...request, decisions }), source)
      assert.isNull(remark)
      assert.strictEqual(sign({ signedXdr }, source, passphrase).signedXdr, signedXdr)
      yield* submit(signedXdr)
      assert.isNull(yield* accountOf(source))
      assert.include(refused(yield* next({ ...request, decisions }), source), "closed")
    }))

  it.effect("signs the answer of mediator/sign, before and after the mediator", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { payments } = yield* exchanges
      for (const ownerFirst of [false, true]) {
        const { source } = yield* on(Pair())
        const answer = yield* next({ source: source.publicKey(), destination: payments, memo })
        const asked = ownerFirst ? sign(answer, source).signedXdr : answer.transactions[0]!.xdr
        const { body } = yield* coSigned(asked)
        assert.include(refused(body, source), "PASSPHRASE")
        assert.isNull(sign(body, source, passphrase).remark)
        yield* submit(sign(body, source, passphrase).signedXdr)
        assert.isNull(yield* accountOf(source))
      }
    }))

  it.effect("lets several signers sign one after the other", () =>
    Effect.gen(function*() {
      const { on, passphrase } = yield* Service
      const { destination, source } = yield* on(Pair())
      const second = Keypair.random()
      const signer = { ed25519PublicKey: second.publicKey(), weight: 1 }
      yield* on(
        perform("two must sign", {
          as: source,
          operations: [Operation.setOptions({ signer, lowThreshold: 2, medThreshold: 2, highThreshold: 2 })]
        })
      )
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const decisions = answersTo(yield* plan(request))
      const first = sign(yield* next({ ...request, decisions }), source)
      const both = sign({ signedXdr: first.signedXdr }, second, passphrase)
      assert.include(both.remark ?? "", second.publicKey())
      yield* submit(both.signedXdr)
      assert.isNull(yield* accountOf(source))
    }))

  it.effect("says in a sentence why it does not sign, and never a secret", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const answer = yield* next({ ...request, decisions: answersTo(yield* plan(request)) })
      const stranger = Keypair.random()
      const strangers = refused(answer, stranger)
      assert.include(strangers, `The key ${stranger.publicKey()} is no signer of the account ${source.publicKey()}`)
      assert.notInclude(strangers, stranger.secret())
      const broken = source.secret().slice(0, -1)
      assert.notInclude(refused(answer, broken), broken)
      assert.include(refused(answer, ""), "SECRET")
      assert.include(refused({ status: "needs_decisions" }, source), "no transaction")
      assert.include(refused(null, source), "no answer")
      assert.include(refused({ transaction: "AAAA" }, source, "any"), "does not decode")
      const { body } = yield* call("POST", "/v1/testnet/close/transactions", request)
      assert.include(refused(body, source), "destination_not_acknowledged")
    }))

  it.effect("ends with that sentence on standard error, and no stack trace", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const request = { source: source.publicKey(), destination: destination.publicKey() }
      const answer = yield* next({ ...request, decisions: answersTo(yield* plan(request)) })
      const run = (input: string, key: Keypair) =>
        spawnSync(process.execPath, [fileURLToPath(new URL("../../scripts/sign.ts", import.meta.url))], {
          input,
          encoding: "utf8",
          env: { PATH: process.env["PATH"], SECRET: key.secret() }
        })
      const strangers = run(JSON.stringify(answer), Keypair.random())
      assert.deepStrictEqual([strangers.status, strangers.stdout], [1, ""])
      assert.match(strangers.stderr, /^The key G[A-Z2-7]{55} is no signer of the account [^\n]*\n$/)
      assert.match(run("nonsense", source).stderr, /^What came on standard input is no JSON[^\n]*\n$/)
      const good = run(JSON.stringify(answer), source)
      assert.deepStrictEqual([good.status, good.stderr], [0, ""])
      yield* submit((JSON.parse(good.stdout) as { signedXdr: string }).signedXdr)
      assert.isNull(yield* accountOf(source))
    }))
})
