import { assert, it } from "@effect/vitest"
import { Address, xdr } from "@stellar/stellar-sdk"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { scripted, settings } from "./support/Scripted.ts"

/** The outcome of `simulateTransaction` for this answer, and the request. */
const simulatedOver = (answer: unknown) =>
  Effect.gen(function*() {
    const transport = yield* scripted(() => ({ body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: answer }) }))
    const over = ContractRpc.layer.pipe(Layer.provide([transport.layer, settings([new URL("https://rpc.example/")])]))
    const outcome = yield* Effect.either(Effect.provide(Effect.flatMap(ContractRpc, (rpc) => rpc.simulateTransaction("AAAA", 7)), over))
    return { outcome, asked: (yield* transport.seen).map(({ body }) => body) }
  })

const data = new xdr.SorobanTransactionData({
  ext: xdr.SorobanTransactionDataExt.v0(),
  resourceFee: 12n,
  resources: new xdr.SorobanResources({
    footprint: new xdr.LedgerFootprint({ readOnly: [], readWrite: [] }),
    instructions: 1,
    diskReadBytes: 2,
    writeBytes: 3
  })
}).toXdr("base64")

const call = new xdr.InvokeContractArgs({
  contractAddress: Address.contract(Buffer.alloc(32, 1)).toScAddress(),
  functionName: "leave",
  args: []
})

const auth = new xdr.SorobanAuthorizationEntry({
  credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
  rootInvocation: new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
    subInvocations: []
  })
}).toXdr("base64")

const key = xdr.LedgerKey.contractCode(new xdr.LedgerKeyContractCode({ hash: new Uint8Array(32) })).toXdr("base64")

it.effect("a call that would succeed is decoded whole", () =>
  Effect.gen(function*() {
    const { asked, outcome } = yield* simulatedOver({
      latestLedger: 9,
      transactionData: data,
      minResourceFee: "12",
      events: ["AAAA"],
      results: [{ auth: [auth], xdr: xdr.ScVal.scvVoid().toXdr("base64") }],
      restorePreamble: { transactionData: data, minResourceFee: "34" },
      stateChanges: [{ type: "created", key, before: null, after: null }]
    })
    assert.deepStrictEqual(asked, [{
      jsonrpc: "2.0",
      id: 1,
      method: "simulateTransaction",
      params: { transaction: "AAAA", resourceConfig: { instructionLeeway: 7 } }
    }])
    assert(outcome._tag === "Right" && outcome.right._tag === "Simulated")
    const { changes, events, latestLedger, resources, restore, result, ...told } = outcome.right
    assert.deepStrictEqual([latestLedger, resources.minResourceFee, restore?.minResourceFee, events, result?.type], [
      9,
      12n,
      34n,
      ["AAAA"],
      "scvVoid"
    ])
    assert.strictEqual(resources.data.toXdr("base64"), data)
    assert.deepStrictEqual(told.auth.map((one) => one.toXdr("base64")), [auth])
    assert.deepStrictEqual(changes.map((change) => [change.key.toXdr("base64"), change.before, change.after]), [[key, null, null]])
  }))

const value = xdr.ScVal.scvVoid().toXdr("base64")

it.effect("what the answer leaves out is nothing, and a call that the host ends is an answer", () =>
  Effect.gen(function*() {
    // A server omits empty lists; a call without changes and authorizations has only its result.
    const bare = yield* simulatedOver({ latestLedger: 9, transactionData: data, minResourceFee: "12", results: [{ auth: [], xdr: value }] })
    assert(bare.outcome._tag === "Right" && bare.outcome.right._tag === "Simulated")
    const { auth: agreements, changes, events, restore, result } = bare.outcome.right
    assert.deepStrictEqual([agreements, changes, events, restore, result.type], [[], [], [], null, "scvVoid"])
    for (
      const error of [
        "HostError: Error(Contract, #10)",
        "host invocation failed\n\nCaused by:\n    HostError: Error(Budget, ExceededLimit)"
      ]
    ) {
      const failed = yield* simulatedOver({ latestLedger: 9, error, events: [], transactionData: data, minResourceFee: "12" })
      assert(failed.outcome._tag === "Right")
      assert.deepStrictEqual(failed.outcome.right, { _tag: "Failed", error, latestLedger: 9 })
    }
  }))

it.effect("an error that is the server's own is an outage: asking again may help", () =>
  Effect.gen(function*() {
    for (
      const error of [
        "preflight queue full",
        "missing meta for latest ledger (9)",
        "context deadline exceeded",
        "panic during preflight() call: unknown cause"
      ]
    ) {
      const fiber = yield* Effect.fork(simulatedOver({ latestLedger: 0, error }))
      yield* TestClock.adjust("1 minute")
      const { outcome } = yield* Fiber.join(fiber)
      assert(outcome._tag === "Left")
      assert.strictEqual(outcome.left._tag, "NetworkUnavailable", error)
    }
  }))

const changing = (...stateChanges: ReadonlyArray<object>) => ({
  latestLedger: 9,
  transactionData: data,
  minResourceFee: "12",
  results: [{ xdr: value }],
  stateChanges
})

const another = new xdr.LedgerEntry({
  lastModifiedLedgerSeq: 1,
  data: xdr.LedgerEntryData.contractCode(
    new xdr.ContractCodeEntry({ ext: xdr.ContractCodeEntryExt.v0(), hash: new Uint8Array(32).fill(1), code: new Uint8Array(1) })
  ),
  ext: xdr.LedgerEntryExt.v0()
}).toXdr("base64")

for (
  const [what, answer] of Object.entries({
    "no ledger": { transactionData: data, minResourceFee: "12", results: [{ xdr: value }] },
    "no result": { latestLedger: 9, transactionData: data, minResourceFee: "12", results: null },
    "an entry under another's key": changing({ type: "updated", key, before: null, after: another }),
    "an entry twice": changing({ type: "deleted", key, before: null, after: null }, { type: "deleted", key, before: null, after: null }),
    "resources that do not decode": { latestLedger: 9, transactionData: "AAAA", minResourceFee: "12", results: [{ xdr: value }] },
    "a fee that is no number": { latestLedger: 9, transactionData: data, minResourceFee: "-1", results: [{ xdr: value }] },
    "two results": {
      latestLedger: 9,
      transactionData: data,
      minResourceFee: "12",
      results: [1, 2].map(() => ({ xdr: xdr.ScVal.scvVoid().toXdr("base64") }))
    },
    "an agreement that does not decode": {
      latestLedger: 9,
      transactionData: data,
      minResourceFee: "12",
      results: [{ auth: ["AAAA"], xdr: xdr.ScVal.scvVoid().toXdr("base64") }]
    },
    "neither error nor resources": { latestLedger: 9, error: "" }
  })
) {
  it.effect(`an answer with ${what} is unusable`, () =>
    Effect.gen(function*() {
      const { outcome } = yield* simulatedOver(answer)
      assert(outcome._tag === "Left")
      assert.strictEqual(outcome.left._tag, "UpstreamUnusable")
    }))
}
