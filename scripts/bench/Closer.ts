import { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"
import { AccountReader } from "../../src/account/AccountReader.ts"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { LedgerEntries } from "../../src/chain/LedgerEntries.ts"
import { NewestEntries } from "../../src/chain/witness/NewestEntries.ts"
import { SecondWitness } from "../../src/chain/witness/SecondWitness.ts"
import { Builder } from "../../src/close/answer/Builder.ts"
import { Planner } from "../../src/close/answer/Planner.ts"
import { ExitReader } from "../../src/close/leaving/read/ExitReader.ts"
import { Admission, Computing } from "../../src/close/load/Admission.ts"
import { MarketSource } from "../../src/close/market/MarketSource.ts"
import { SaleSettings } from "../../src/close/market/SaleSettings.ts"
import { Completion } from "../../src/close/read/Completion.ts"
import { FormerMediators } from "../../src/close/read/FormerMediators.ts"
import { InclusionFees } from "../../src/close/read/InclusionFees.ts"
import { RecentTransactions } from "../../src/close/read/RecentTransactions.ts"
import { SituationReader } from "../../src/close/read/SituationReader.ts"
import { SourceAgreement } from "../../src/close/read/SourceAgreement.ts"
import { FeeSettings } from "../../src/close/situation/FeeSettings.ts"
import { FloatSettings } from "../../src/close/situation/FloatSettings.ts"
import { HeaderRule } from "../../src/close/situation/HeaderRule.ts"
import { MediatorAccount } from "../../src/close/situation/MediatorAccount.ts"
import { MediatorSigner } from "../../src/close/situation/MediatorSigner.ts"
import { MediatorWatch } from "../../src/close/situation/MediatorWatch.ts"
import { Coverage } from "../../src/protocols/Coverage.ts"
import { ProtocolRegistry } from "../../src/protocols/ProtocolRegistry.ts"
import { ContractAddresses } from "../../src/registry/ContractAddresses.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { TokenLists } from "../../src/registry/TokenLists.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { AllowanceLookup } from "../../src/tokens/AllowanceLookup.ts"
import { TokenRoutes } from "../../src/tokens/TokenRoutes.ts"
import { settings } from "./Reader.ts"
import { tokens } from "./Tokens.ts"
import type { Upstream } from "./Upstream.ts"

const registry = ExchangeRegistry.layerValue({
  version: "1",
  lastVerified: "2026-01-01",
  validUntil: "2999-12-31",
  source: "none",
  entries: []
})

/** Sales through contracts, by the token list of the contracts file. */
const ways = Layer.provide(TokenRoutes.layer, TokenLists.layerContracts)

/** Planner and builder over a sandbox of their own in this process, without a socket. */
export const closerOver = (
  { between }: Upstream,
  contracts: Layer.Layer<ContractAddresses> = ContractAddresses.layerNone,
  sources = settings
) =>
  Layer.merge(Planner.layer, Builder.layer).pipe(
    Layer.provideMerge(Layer.merge(SituationReader.layer, Completion.layer)),
    Layer.provideMerge(AccountReader.layer),
    Layer.provide([ExitReader.layer, MarketSource.layer, ways, MediatorAccount.layer, Admission.layer, Computing.layer]),
    Layer.provide(AllowanceLookup.layer),
    Layer.provide(SourceAgreement.layer),
    Layer.provide([
      RecentTransactions.layer,
      FeeSettings.layer,
      SaleSettings.layer,
      InclusionFees.layer,
      FloatSettings.layer,
      HeaderRule.layer,
      FormerMediators.layerConfig("testnet"),
      MediatorSigner.layerNone,
      MediatorWatch.layerNone,
      NewestEntries.layer,
      SecondWitness.layer
    ]),
    Layer.provide(tokens),
    Layer.provide(Coverage.layer),
    Layer.provide(ProtocolRegistry.layer),
    Layer.provide(LedgerEntries.layer),
    Layer.provide(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
    Layer.provide([sources, registry]),
    Layer.provide(
      Layer.effect(HttpClient.HttpClient, Effect.map(inMemoryTransport, HttpClient.transform((send, request) => between(request, send))))
    ),
    Layer.provide(contracts),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer())
  )
