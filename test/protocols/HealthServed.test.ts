import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { AccountState } from "../../src/domain/Account.ts"
import { RpcError } from "../../src/sandbox/faults/ServerErrors.ts"
import { Service } from "../close/support/Service.ts"
import { lendingService } from "../sandbox/contracts/ProtocolsServed.ts"
import { jumping } from "../support/JumpingClock.ts"
import { LendingDebt } from "../support/scenarios/LendingDebt.ts"

const rows = (address: string) =>
  Effect.gen(function*() {
    const { call } = yield* Service
    const { body, status } = yield* call<AccountState>("GET", `/testnet/account/${address}`)
    assert.strictEqual(status, 200, JSON.stringify(body))
    const { positions } = body.defiPositions
    return {
      lent: positions.filter(({ positionType }) => positionType === "supply").length,
      borrowed: positions.flatMap((row) => (row.positionType === "borrow" ? [row] : [])),
      warnings: body.defiPositionsWarnings
    }
  })

it.scopedLive("a debt shows its health; where the oracle cannot be asked, the debt is shown without it", () =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const { source } = yield* on(LendingDebt)
    const priced = yield* rows(source.publicKey())
    // 2,000 lumens at 0.1 and a factor of 0.75, over 50 euros at 1.1 and a factor of 0.9.
    assert.deepStrictEqual(priced.borrowed.map(({ healthFactor }) => healthFactor?.slice(0, 5)), ["2.454"])
    yield* sandbox.faults.set({ fault: new RpcError({ code: -32603, message: "internal error" }), rpc: "simulateTransaction" })
    const unpriced = yield* rows(source.publicKey())
    assert.deepStrictEqual(unpriced.borrowed.map((row) => [row.healthFactor, row.dTokenAmount]), [[
      undefined,
      priced.borrowed[0]?.dTokenAmount
    ]])
    assert.match(unpriced.borrowed[0]?.display?.detail ?? "", /health of this debt is not known/)
    assert.deepStrictEqual([unpriced.lent, unpriced.warnings], [priced.lent, []])
  }).pipe(Effect.provide(Layer.provideMerge(lendingService, jumping))))
