import { Context, Effect } from "effect"
import type { ChainFailure } from "../chain/ChainFailure.ts"
import { ContractRpc } from "../chain/ContractRpc.ts"
import { LedgerApi } from "../chain/LedgerApi.ts"
import { newerProtocol } from "../domain/NewerProtocol.ts"
import { modelProtocol } from "../ledger/ModelProtocol.ts"
import { changedCode, Coverage } from "../protocols/Coverage.ts"

/** In what a network can be ahead of this version: the protocol of its ledgers, the XDR of answers, the code of contracts that files list. */
export const upgradeKinds = ["protocol", "xdr", "code"] as const

/** Something that shows that a network has moved on from what this version knows. */
export interface UpgradeSign {
  readonly kind: (typeof upgradeKinds)[number]
  /** What was seen, for people. */
  readonly message: string
}

/** The signs of one network; fails where its contract RPC does not answer. */
export const upgradeSigns = (
  stack: Context.Context<ContractRpc | LedgerApi | Coverage>
): Effect.Effect<ReadonlyArray<UpgradeSign>, ChainFailure> => {
  const [rpc, api] = [Context.get(stack, ContractRpc), Context.get(stack, LedgerApi)]
  return Effect.map(
    Effect.all([rpc.latestLedger, rpc.newerXdr, api.newerXdr, Context.get(stack, Coverage).lists]),
    ([{ protocolVersion }, ofRpc, ofApi, { unlisted }]) => {
      const signs = (kind: UpgradeSign["kind"], ...all: ReadonlyArray<string | null>) =>
        all.flatMap((message) => (message === null ? [] : [{ kind, message }]))
      return [
        ...signs("protocol", newerProtocol(protocolVersion, modelProtocol)),
        ...signs("xdr", ofRpc, ofApi),
        ...signs("code", ...unlisted.map(changedCode))
      ]
    }
  )
}
