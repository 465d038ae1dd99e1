import { Keypair, Operation, SorobanDataBuilder, TransactionBuilder } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { LedgerCapacity } from "../../../src/sandbox/faults/SubmissionFaults.ts"
import { sourceAccount } from "../../../src/sandbox/network/UnsignedTransaction.ts"
import { fund } from "../../../src/sandbox/scenarios/Scenario.ts"
import { Service } from "./Service.ts"

/** Stroops of the resource fee in a rival's contract transaction. */
const rivalResources = 1_000_000n

/** Limits ledgers to this many operations of each kind, and closes them only on request. */
export const crowd = (operations: number) =>
  Effect.flatMap(Service, ({ sandbox }) => sandbox.faults.set({ fault: new LedgerCapacity({ operations }) }))

export const calm = Effect.flatMap(Service, ({ sandbox }) => sandbox.faults.clear())

export const closeLedger = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger())

/** A rival's bid: as many operations, and stroops for each of them. */
export interface Bid {
  readonly perOperation: number
  readonly operations?: number
  readonly contracts?: boolean
}

/** Strangers who compete for the next ledgers; each bid is one transaction of another account, sent straight to the network. */
export const Rivals = (count: number) =>
  Effect.gen(function*() {
    const { on } = yield* Service
    const keys = Array.from({ length: count }, () => Keypair.random())
    yield* on(fund("1000", ...keys))
    let next = 0
    return (...bids: ReadonlyArray<Bid>) =>
      Effect.forEach(bids, ({ contracts = false, operations = 1, perOperation }) =>
        Effect.gen(function*() {
          const { passphrase, sandbox } = yield* Service
          const rival = keys[next++] ?? (yield* Effect.dieMessage("more bids than rivals"))
          const builder = new TransactionBuilder(sourceAccount(yield* sandbox.snapshot, rival.publicKey()), {
            fee: perOperation.toString(),
            networkPassphrase: passphrase
          })
          if (contracts) {
            builder.addOperation(Operation.extendFootprintTtl({ extendTo: 100 })).setSorobanData(
              new SorobanDataBuilder().setResourceFee(rivalResources).build()
            )
          } else {
            for (let at = 0; at < operations; at++) builder.addOperation(Operation.bumpSequence({ bumpTo: "0" }))
          }
          const transaction = builder.setTimeout(0).build()
          transaction.sign(rival)
          const { verdict } = yield* sandbox.submit(transaction.toEnvelope())
          if (verdict !== "pending") return yield* Effect.dieMessage(`a rival was ${JSON.stringify(verdict)}`)
        }), { discard: true })
  })

/** Waits until the network's queue holds a transaction. */
export const queued = (hash: string) =>
  Effect.flatMap(Service, ({ sandbox }) =>
    sandbox.snapshot.pipe(
      Effect.tap(() => Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
      Effect.repeat({ until: ({ queue }) => queue.pending.some((facts) => facts.hash === hash) })
    ))
