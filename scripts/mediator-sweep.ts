/**
 * Moves each configured mediator's lumens beyond its base reserve to `*_MEDIATOR_SWEEP_ACCOUNT`, and prints the result. Exits with a status
 * other than 0 when the sweep of a network with a mediator failed.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Config, type ConfigProvider, Effect, Layer, Logger, LogLevel, Option } from "effect"
import { ContractRpc } from "../src/chain/ContractRpc.ts"
import { LedgerApi } from "../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../src/chain/LedgerEntries.ts"
import { type NetworkAddress, NetworkSettings } from "../src/chain/NetworkSettings.ts"
import { NewestEntries } from "../src/chain/witness/NewestEntries.ts"
import { MediatorResidue } from "../src/close/mediator/MediatorResidue.ts"
import { FormerMediators } from "../src/close/read/FormerMediators.ts"
import { InclusionFees } from "../src/close/read/InclusionFees.ts"
import { RecentTransactions } from "../src/close/read/RecentTransactions.ts"
import { SourceAgreement } from "../src/close/read/SourceAgreement.ts"
import { FeeSettings } from "../src/close/situation/FeeSettings.ts"
import { HeaderRule } from "../src/close/situation/HeaderRule.ts"
import { mediatorSecretSetting, MediatorSigner } from "../src/close/situation/MediatorSigner.ts"
import { MediatorWatch } from "../src/close/situation/MediatorWatch.ts"
import { Submission } from "../src/close/submit/Submission.ts"
import { SubmitGate } from "../src/close/submit/SubmitGate.ts"
import { MediatorSweep, sweepAccount, SweepRefused, type SweepResult } from "../src/close/sweep/MediatorSweep.ts"
import { showAmount } from "../src/domain/Amount.ts"
import { networks } from "../src/domain/Network.ts"
import { ExchangeRegistry } from "../src/registry/ExchangeRegistry.ts"

const stack = (address: NetworkAddress) =>
  Layer.fresh(
    MediatorSweep.layer.pipe(
      Layer.provide(Submission.layer),
      Layer.provide([RecentTransactions.layer, MediatorResidue.layer, SubmitGate.layer]),
      Layer.provide([SourceAgreement.layer, MediatorWatch.layerNone]),
      Layer.provide([LedgerEntries.layer, NewestEntries.layer, FeeSettings.layer, HeaderRule.layer, InclusionFees.layer]),
      Layer.provide([
        MediatorSigner.layerConfig(address.network),
        FormerMediators.layerConfig(address.network),
        ExchangeRegistry.layerFile
      ]),
      Layer.provide([ContractRpc.layer, LedgerApi.layer]),
      Layer.provide(Layer.succeed(NetworkSettings, address)),
      Layer.provide([NodeHttpClient.layerUndici, NodeFileSystem.layer])
    )
  )

const told = (swept: SweepResult): string =>
  swept._tag === "Nothing"
    ? `nothing to move: ${swept.mediator} holds ${showAmount(swept.float)} lumens beyond its reserve`
    : `moved ${showAmount(swept.amount)} lumens from ${swept.mediator} (fee at most ${
      showAmount(swept.fee)
    }) in ledger ${swept.result.ledger}, transaction ${swept.result.hash}`

const sweepOf = (address: NetworkAddress) =>
  Effect.gen(function*() {
    const { network } = address
    const to = yield* sweepAccount(network)
    if (Option.isNone(to)) return yield* new SweepRefused({ reason: `refused: ${network.toUpperCase()}_MEDIATOR_SWEEP_ACCOUNT is not set` })
    const swept = yield* Effect.flatMap(MediatorSweep, ({ sweep }) => sweep(to.value)).pipe(Effect.provide(stack(address)))
    return told(swept)
  })

/** Sweeps every configured network that has a mediator. Returns the lines to show, and whether all sweeps succeeded. */
export const sweepAll = Effect.gen(function*() {
  const configured = yield* Effect.forEach(networks, (network) => NetworkSettings.config(network))
  const lines: Array<string> = []
  let fine = true
  for (const address of configured.flatMap(Option.toArray)) {
    const { network } = address
    const secret = yield* Config.option(Config.redacted(mediatorSecretSetting(network)))
    if (Option.isNone(secret)) continue
    const outcome = yield* Effect.either(sweepOf(address))
    if (outcome._tag === "Left") fine = false
    lines.push(`${network}: ${outcome._tag === "Right" ? outcome.right : outcome.left.message}`)
  }
  if (lines.length === 0) lines.push("no configured network has a mediator")
  return { lines, fine }
})

/** The same with settings from another source than the environment. */
export const sweepWith = (settings: ConfigProvider.ConfigProvider) => Effect.withConfigProvider(sweepAll, settings)

if (import.meta.main) {
  const { fine, lines } = await Effect.runPromise(Effect.provide(sweepAll, Logger.minimumLogLevel(LogLevel.Warning)))
  for (const line of lines) console.log(line)
  process.exitCode = fine ? 0 : 1
}
