import { Effect } from "effect"
import type { ComponentHealth } from "../domain/Health.ts"
import { ContractRpc } from "./ContractRpc.ts"
import { LedgerApi } from "./LedgerApi.ts"

const probe = <E extends { readonly message: string }>(question: Effect.Effect<unknown, E>): Effect.Effect<ComponentHealth> =>
  question.pipe(
    Effect.as<ComponentHealth>({ status: "up" }),
    Effect.timeoutTo({
      duration: "3 seconds",
      onSuccess: (health) => health,
      onTimeout: (): ComponentHealth => ({ status: "down", message: "no answer within 3 seconds" })
    }),
    Effect.catchAll((failure) => Effect.succeed<ComponentHealth>({ status: "down", message: failure.message }))
  )

/** Whether the sources of one network answer: each is asked for its newest ledger, for at most three seconds. */
export const probes: Effect.Effect<
  { readonly rpc: ComponentHealth; readonly ledgerApi: ComponentHealth },
  never,
  ContractRpc | LedgerApi
> = Effect.gen(function*() {
  const rpc = yield* ContractRpc
  const api = yield* LedgerApi
  return yield* Effect.all({ rpc: probe(rpc.latestLedger), ledgerApi: probe(api.latestLedger) }, { concurrency: 2 })
})
