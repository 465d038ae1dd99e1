import { assert } from "@effect/vitest"
import { Asset, Claimant, type Keypair, type Memo, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { TransactionRecord } from "../../../src/sandbox/network/LedgerRecord.ts"
import { perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { Pair } from "./Accounts.ts"
import { type Asked, next, plan, refusal } from "./Client.ts"
import { Service } from "./Service.ts"

const native = Asset.native()

export const lumens = (stroops: bigint): string => `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, "0")}`

/** This many transactions of others that concern an account. */
export const noise = (address: string, count: number) =>
  Effect.gen(function*() {
    const { call, on } = yield* Service
    const { source: stranger } = yield* on(Pair("1000"))
    for (let at = 0; at < count; at++) {
      // Without a request now and then the service would close the connection.
      if (at % 20 === 0) yield* call("GET", "/health")
      yield* on(perform("a stranger's dust", {
        as: stranger,
        operations: [Operation.createClaimableBalance({ asset: native, amount: "0.0000001", claimants: [new Claimant(address)] })]
      }))
    }
  })

/** The record of a merge and a later payment, both signed. */
export const mergedAndPaid = (source: Keypair, through: Keypair, destination: string, amount: bigint, memo?: Memo) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    return yield* on(perform("a merge, and a payment behind it", {
      as: source,
      signedBy: [source, through],
      operations: [
        Operation.accountMerge({ destination: through.publicKey() }),
        Operation.payment({ source: through.publicKey(), destination, asset: native, amount: lumens(amount) })
      ],
      ...(memo === undefined ? {} : { memo })
    }))
  })

export const merged = (source: Keypair, destination: string, memo?: Memo) =>
  Effect.flatMap(
    Service,
    ({ on }) =>
      on(perform("a merge", { as: source, operations: [Operation.accountMerge({ destination })], ...(memo === undefined ? {} : { memo }) }))
  )

export const hashOf = ({ facts }: TransactionRecord): string => facts.hash

/** Checks that both close routes return the same error; returns its details. */
export const notFound = (request: Asked) =>
  Effect.gen(function*() {
    const [planned, built] = [yield* refusal("plan", request), yield* refusal("next", request)]
    assert.deepInclude(planned, { status: 404, code: "not_found" })
    assert.deepStrictEqual(built, planned)
    return planned.details
  })

export const complete = (request: Asked) =>
  Effect.gen(function*() {
    const planned = yield* plan(request)
    assert.strictEqual(planned.status, "complete")
    const built = yield* next(request)
    assert.deepStrictEqual([built.status, built.remaining], ["complete", { steps: 0, transactions: 0, requiresAnotherCall: false }])
    const { closed } = planned
    assert.deepStrictEqual(built.closed, closed)
    assert.deepStrictEqual(built.warnings ?? [], planned.warnings)
    assert.strictEqual(closed?.paidTo, request.destination)
    if (typeof request.memo === "object") assert.deepStrictEqual(closed?.memo, request.memo)
    return planned.warnings.map(({ code }) => code)
  })

/** The status of a plan, or the code of its error. */
export const outcome = (request: Asked) =>
  Effect.flatMap(
    Service,
    ({ call }) => call<{ readonly status?: string; readonly error?: { readonly code: string } }>("POST", "/v1/testnet/close/plan", request)
  ).pipe(
    Effect.map(({ body }) => body.status ?? body.error?.code)
  )

export const pair = Effect.flatMap(Service, ({ on }) => on(Pair()))
