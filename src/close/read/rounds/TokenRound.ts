import { Effect } from "effect"
import type { ChainFailure } from "../../../chain/ChainFailure.ts"
import { ContractRpc } from "../../../chain/ContractRpc.ts"
import { LedgerEntries } from "../../../chain/LedgerEntries.ts"
import { ProtocolRegistry } from "../../../protocols/ProtocolRegistry.ts"
import { OwnerEvents } from "../../../tokens/OwnerEvents.ts"
import { readTokenWork } from "../../leaving/tokens/ReadTokenWork.ts"
import { FeeSettings } from "../../situation/FeeSettings.ts"
import type { Market } from "../../situation/Market.ts"
import type { Situation } from "../../situation/Situation.ts"
import { type MarketReading, situationOver } from "../CloseReading.ts"

/** Round five reads what becomes of contract tokens and allowances, over the market of the close. */
export const tokenRound = Effect.gen(function*() {
  const entries = yield* LedgerEntries
  const events = yield* OwnerEvents
  const { mostResourceFee } = yield* FeeSettings
  const protocols = yield* ProtocolRegistry
  const rpc = yield* ContractRpc

  return (reading: MarketReading, market: Market): Effect.Effect<Situation, ChainFailure> => {
    const { began, ownTransactions, purpose, question, routes } = reading
    const situation = situationOver(reading, market)
    return Effect.map(
      readTokenWork({ entries, events, ownTransactions, protocols, routes, rpc }, situation, {
        purpose,
        began,
        mostResourceFee,
        arriving: question.sales
      }),
      (tokenWork) => ({ ...situation, tokenWork })
    )
  }
})
