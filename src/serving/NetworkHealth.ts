import { Context, Effect, Option } from "effect"
import type { ContractRpc } from "../chain/ContractRpc.ts"
import type { LedgerApi } from "../chain/LedgerApi.ts"
import type { NetworkAddress } from "../chain/NetworkSettings.ts"
import { probes } from "../chain/Probes.ts"
import { Mediator } from "../close/mediator/Mediator.ts"
import { HeaderRule } from "../close/situation/HeaderRule.ts"
import type { ComponentHealth } from "../domain/Health.ts"
import { modelProtocol } from "../ledger/ModelProtocol.ts"
import { Coverage, coverageHealth } from "../protocols/Coverage.ts"

/** The mediator is read beside the sources and never keeps their report waiting. */
const mediatorHealth = Effect.flatMap(Mediator, ({ health }) =>
  Effect.timeoutTo(health, {
    duration: "2500 millis",
    onSuccess: Option.map((component): ComponentHealth => component),
    onTimeout: () => Option.some<ComponentHealth>({ status: "up", message: "its account was not read in time" })
  }))

/** Age in seconds of a ledger that builds reject for it; null: they accept it. */
const rejectedAge = (stack: Context.Context<HeaderRule>) => (closeTime: bigint) =>
  Effect.map(Context.get(stack, HeaderRule).doubt(closeTime), (doubt) => doubt?.ageSeconds ?? null)

/** The health of one network, by component: its sources, its coverage, and its mediator where it has one. */
export const networkHealth = (
  { network, sandbox }: NetworkAddress,
  stack: Context.Context<ContractRpc | LedgerApi | Mediator | Coverage | HeaderRule>
) =>
  Effect.all([
    probes({ closesOnDemand: sandbox, modelProtocol, rejectedAge: rejectedAge(stack) }),
    mediatorHealth,
    Context.get(stack, Coverage).lists
  ], {
    concurrency: 3
  }).pipe(
    Effect.provide(stack),
    Effect.map(([{ ledgerApi, rpc }, mediator, lists]): ReadonlyArray<readonly [string, ComponentHealth]> => [
      [`rpc_${network}`, rpc],
      [`ledger_api_${network}`, ledgerApi],
      [`coverage_${network}`, coverageHealth(Context.get(stack, Coverage).unread, lists)],
      ...Option.toArray(mediator).map((component) => [`mediator_${network}`, component] as const)
    ])
  )
