import { assert } from "@effect/vitest"
import { Account, Keypair, Operation, StrKey, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { anyContract } from "../support/Addresses.ts"
import { layer } from "../support/Layered.ts"
import { Pair } from "./support/Accounts.ts"
import { plan, refusal, refusedGet } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"

const closeRoutes = ["plan", "next"] as const

const unsigned = (passphrase: string) =>
  new TransactionBuilder(new Account(Keypair.random().publicKey(), "1"), { fee: "100", networkPassphrase: passphrase })
    .addOperation(Operation.accountMerge({ destination: Keypair.random().publicKey() }))
    .setTimeout(0)
    .build()

layer(Service.layer(), { excludeTestServices: true })("bad input", (it) => {
  it.effect("has the code of the value that is wrong", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const good = acknowledged(source, destination)
      const muxed = StrKey.encodeMed25519PublicKey(Buffer.concat([StrKey.decodeEd25519PublicKey(source.publicKey()), Buffer.alloc(8)]))
      const cases: ReadonlyArray<readonly [code: string, change: Readonly<Record<string, unknown>>]> = [
        ["invalid_source", { source: "" }],
        ["invalid_source", { source: muxed }],
        ["invalid_source", { source: anyContract() }],
        ["invalid_source", { source: `${source.publicKey().slice(0, -1)}${source.publicKey().endsWith("A") ? "B" : "A"}` }],
        ["invalid_source", { source: source.publicKey().toLowerCase() }],
        ["invalid_source", { source: ` ${source.publicKey()}` }],
        ["invalid_destination", { destination: "nowhere" }],
        ["invalid_destination", { destination: source.publicKey() }],
        ["invalid_memo", { memo: { type: "id", value: "x" } }],
        ["invalid_memo", { memo: "x".repeat(29) }],
        ["invalid_decisions", { decisions: ["yes"] }],
        ["invalid_decisions", { decisions: [{ id: "nonsense:1", choice: "yes" }] }],
        ["invalid_decisions", { decisions: Array.from({ length: 4001 }, () => ({ id: "x:y", choice: "z" })) }],
        ["invalid_slippage", { maxSlippageBps: 0 }],
        ["invalid_slippage", { maxSlippageBps: 5001 }],
        ["invalid_slippage", { maxSlippageBps: 1.5 }],
        ["invalid_slippage", { maxSlippageBps: -1 }],
        ["invalid_fee_payer", { feePayer: "somebody" }],
        ["invalid_fee_payer", { feePayer: "" }],
        ["invalid_validity", { validForSeconds: 59 }],
        ["invalid_validity", { validForSeconds: 86_401 }],
        ["invalid_validity", { validForSeconds: 300.5 }],
        ["invalid_body", { source: 7 }],
        ["invalid_body", { source: null }],
        ["invalid_body", { destination: null }],
        ["invalid_body", { decisions: {} }],
        ["invalid_body", { maxSlippageBps: "50" }],
        ["invalid_body", { validForSeconds: null }],
        ["invalid_body", { memo: { type: "text" } }],
        ["invalid_body", { memo: { type: "TEXT", value: "x" } }]
      ]
      for (const [code, change] of cases) {
        for (const route of closeRoutes) {
          const refused = yield* refusal(route, { ...good, ...change })
          assert.deepInclude(refused, { status: 400, code }, `${route} ${JSON.stringify(change).slice(0, 200)}`)
          if (code === "invalid_body" || code === "invalid_decisions") {
            assert.isTrue(Array.isArray(refused.details["issues"]) && refused.details["issues"].length > 0)
          }
        }
      }
    }))

  it.effect("at the edge is still good", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      for (
        const edge of [{ maxSlippageBps: 1 }, { maxSlippageBps: 5000 }, { validForSeconds: 60 }, { validForSeconds: 86_400 }, {
          feePayer: "source"
        }]
      ) {
        assert.strictEqual((yield* plan({ ...acknowledged(source, destination), ...edge })).status, "ready")
      }
    }))

  it.effect("that lacks what a route needs is invalid_body", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { source } = yield* on(Pair())
      for (
        const [route, body] of [["plan", {}], ["next", { source: source.publicKey() }], ["submit", {}], ["submit", {
          signedXdr: 1
        }]] as const
      ) {
        assert.deepInclude(yield* refusal(route, body), { status: 400, code: "invalid_body" })
      }
    }))

  it.effect("that is no network, or no hash, is said so", () =>
    Effect.gen(function*() {
      const hash = "a".repeat(64)
      assert.deepInclude(yield* refusedGet(`/v1/futurenet/transactions/${hash}`), { status: 400, code: "invalid_network" })
      assert.deepInclude(yield* refusedGet("/v1/testnet/transactions/xyz"), { status: 400, code: "invalid_hash" })
      assert.deepInclude(yield* refusedGet(`/v1/mainnet/transactions/${hash}`), { status: 503, code: "network_unavailable" })
    }))

  it.effect("that holds a secret seed is refused whole, wherever the seed is", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const good = acknowledged(source, destination)
      const seed = source.secret()
      const hiding: ReadonlyArray<readonly [route: "plan" | "next" | "submit", body: unknown]> = [
        ...closeRoutes.flatMap((route) => [
          [route, { ...good, source: seed }] as const,
          [route, { ...good, memo: seed }] as const,
          [route, { ...good, decisions: [{ id: `destination:${seed}`, choice: "i_control_this_address" }] }] as const,
          [route, { ...good, extra: { deep: [`my key ${seed}.`] } }] as const,
          [route, { ...good, [seed]: 1 }] as const
        ]),
        ["submit", { signedXdr: seed }]
      ]
      for (const [route, body] of hiding) {
        const refused = yield* refusal(route, body)
        assert.deepInclude(refused, { status: 400, code: "secret_key_refused" })
        assert.notInclude(JSON.stringify(refused), seed)
      }
    }))

  it.effect("in place of an envelope is invalid_transaction", () =>
    Effect.gen(function*() {
      const { passphrase } = yield* Service
      const envelope = unsigned(passphrase).toEnvelope()
      const base64 = envelope.toXdr("base64")
      assert.strictEqual(envelope.type, "envelopeTypeTx")
      const wrong = [
        "",
        "not base64 !",
        base64.slice(0, -8),
        `${base64}AAAA`,
        envelope.type === "envelopeTypeTx" ? envelope.v1.tx.toXdr("base64") : ""
      ]
      for (const signedXdr of wrong) {
        assert.deepInclude(yield* refusal("submit", { signedXdr }), { status: 400, code: "invalid_transaction" }, signedXdr.slice(0, 40))
      }
    }))
})
