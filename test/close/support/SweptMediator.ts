import type { Keypair } from "@stellar/stellar-sdk"
import { ConfigProvider, Layer, Redacted } from "effect"
import { LedgerEntries } from "../../../src/chain/LedgerEntries.ts"
import { MediatorResidue } from "../../../src/close/mediator/MediatorResidue.ts"
import { FormerMediators } from "../../../src/close/read/FormerMediators.ts"
import { InclusionFees } from "../../../src/close/read/InclusionFees.ts"
import { RecentTransactions } from "../../../src/close/read/RecentTransactions.ts"
import { SourceAgreement } from "../../../src/close/read/SourceAgreement.ts"
import { FeeSettings } from "../../../src/close/situation/FeeSettings.ts"
import { FloatSettings } from "../../../src/close/situation/FloatSettings.ts"
import { HeaderRule } from "../../../src/close/situation/HeaderRule.ts"
import { MediatorSigner } from "../../../src/close/situation/MediatorSigner.ts"
import { MediatorWatch } from "../../../src/close/situation/MediatorWatch.ts"
import { Submission } from "../../../src/close/submit/Submission.ts"
import { SubmitGate } from "../../../src/close/submit/SubmitGate.ts"
import { MediatorSweep } from "../../../src/close/sweep/MediatorSweep.ts"
import * as SweepLoop from "../../../src/close/sweep/SweepLoop.ts"
import type { ExchangeRegistry } from "../../../src/registry/ExchangeRegistry.ts"

/** The key of a mediator in memory. */
export const signerOf = (mediator: Keypair) => MediatorSigner.layerSecret(Redacted.make(mediator.secret()))

/** What sweeps a mediator over the sources of the context: once a ledger where the settings name an account, and by hand. */
export const sweeper = <E, R>(
  registry: Layer.Layer<ExchangeRegistry, E, R>,
  signer: Layer.Layer<MediatorSigner>,
  settings: Readonly<Record<string, string>> = {}
) =>
  Layer.fresh(
    SweepLoop.layer.pipe(
      Layer.provideMerge(MediatorSweep.layer),
      Layer.provide(Submission.layer),
      Layer.provide([RecentTransactions.layer, MediatorResidue.layer, SubmitGate.layer]),
      Layer.provide([SourceAgreement.layer, MediatorWatch.layerNone]),
      Layer.provide([LedgerEntries.layer, FeeSettings.layer, FloatSettings.layer, HeaderRule.layer, InclusionFees.layer]),
      Layer.provide([signer, FormerMediators.layerConfig("testnet"), registry]),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))))
    )
  )
