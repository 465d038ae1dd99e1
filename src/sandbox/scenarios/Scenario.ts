import { type Keypair, type Memo, Operation, TransactionBuilder, type xdr } from "@stellar/stellar-sdk"
import { Data, Effect, Option } from "effect"
import { Network } from "../Network.ts"
import type { TransactionRecord } from "../network/LedgerRecord.ts"
import { sourceAccount } from "../network/UnsignedTransaction.ts"
import { resultCodes } from "../rest/ResultCodes.ts"
import { signWith } from "./Signing.ts"

/** A step of a scenario that did not go through: the scenario is wrong, not the network. */
export class ScenarioFailed extends Data.TaggedError("ScenarioFailed")<{
  readonly step: string
  readonly reason: string
}> {
  override get message(): string {
    return `the scenario's step "${this.step}" failed: ${this.reason}`
  }
}

/** One transaction of a scenario. */
export interface Step {
  /** Source of the transaction; signs it unless `signedBy` says who does. */
  readonly as: Keypair
  readonly operations: ReadonlyArray<xdr.Operation>
  readonly signedBy?: ReadonlyArray<Keypair>
  readonly memo?: Memo
  /** What a contract transaction may touch and use up; its fee comes on top of the base fee. */
  readonly resources?: xdr.SorobanTransactionData
}

/** Builds, signs and submits one transaction and waits for its ledger, closing one where the network does not by itself. */
export const perform = Effect.fnUntraced(function*(
  step: string,
  { as, memo, operations, resources, signedBy = [as] }: Step
): Effect.fn.Return<TransactionRecord, ScenarioFailed, Network> {
  const network = yield* Network
  const chain = yield* network.snapshot
  const envelope = yield* Effect.sync(() => {
    const builder = new TransactionBuilder(sourceAccount(chain, as.publicKey()), {
      fee: chain.state.header.baseFee.toString(),
      networkPassphrase: network.passphrase,
      ...(memo === undefined ? {} : { memo })
    })
    for (const operation of operations) builder.addOperation(operation)
    if (resources !== undefined) builder.setSorobanData(resources)
    return signWith(builder.setTimeout(0).build(), signedBy).toEnvelope()
  })
  const { facts, verdict } = yield* network.submit(envelope)
  if (typeof verdict !== "string") {
    return yield* new ScenarioFailed({ step, reason: JSON.stringify(resultCodes(verdict.rejected)) })
  }
  if (verdict !== "pending") return yield* new ScenarioFailed({ step, reason: verdict })
  const { queue } = yield* network.snapshot
  if (queue.pending.some(({ hash }) => hash === facts.hash)) yield* network.closeLedger()
  const outcome = yield* network.outcome(facts.hash)
  if (Option.isNone(outcome)) return yield* new ScenarioFailed({ step, reason: "dropped" })
  return outcome.value.successful
    ? outcome.value
    : yield* new ScenarioFailed({ step, reason: JSON.stringify(resultCodes(outcome.value.applied.result)) })
})

/** Creates accounts with so many lumens each, out of the root account. */
export const fund = Effect.fnUntraced(function*(lumens: string, ...accounts: ReadonlyArray<Keypair>) {
  const { root } = yield* Network
  yield* perform("fund accounts", {
    as: root,
    operations: accounts.map((account) => Operation.createAccount({ destination: account.publicKey(), startingBalance: lumens }))
  })
})
