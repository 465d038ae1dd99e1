import { Context, Effect, Layer } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { LedgerEntries } from "../chain/LedgerEntries.ts"
import { NetworkSettings } from "../chain/NetworkSettings.ts"
import type { AccountAddress } from "../domain/Address.ts"
import type { NamedAllowances } from "./allowances/AllowanceCandidates.ts"
import { type AllowanceReadings, readAllowances } from "./allowances/ReadAllowances.ts"

/** The most pairs that are queried from tokens one by one. */
const mostAsked = 100

/** Looks up what is left of allowances that someone names, for all who ask on one network. */
export class AllowanceLookup extends Context.Tag("closeout/tokens/AllowanceLookup")<AllowanceLookup, {
  /** Of the pairs whose token keeps books of its own that many are queried, 100 by default. */
  readonly of: (owner: AccountAddress, named: NamedAllowances, most?: number) => Effect.Effect<AllowanceReadings, ChainFailure>
}>() {
  /** Over the sources of one network. Nothing of owners is kept. */
  static readonly layer = Layer.effect(
    AllowanceLookup,
    Effect.gen(function*() {
      const { passphrase } = yield* NetworkSettings
      const sources = { entries: yield* LedgerEntries, rpc: yield* ContractRpc, passphrase }
      return AllowanceLookup.of({ of: (owner, named, most = mostAsked) => readAllowances(sources, owner, named, most) })
    })
  )
}
