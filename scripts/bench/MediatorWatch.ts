import { HttpClient } from "@effect/platform"
import { Asset, Keypair, Memo, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { Console, Effect, Layer } from "effect"
import { ContractRpc } from "../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../src/chain/LedgerApi.ts"
import { NewestEntries } from "../../src/chain/witness/NewestEntries.ts"
import { Watched } from "../../src/close/watch/Watched.ts"
import { looksAt } from "../../src/close/watch/Watcher.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { ledgerSeconds } from "../../src/domain/Ledger.ts"
import { ExchangeRegistry } from "../../src/registry/ExchangeRegistry.ts"
import { Friendbot } from "../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { sourceAccount } from "../../src/sandbox/network/UnsignedTransaction.ts"
import { MediatorFunded } from "../../src/sandbox/scenarios/MediatorFunded.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { cpuWithin } from "./Cpu.ts"
import { settings } from "./Reader.ts"
import { median, millis, row } from "./Table.ts"
import { makeUpstream, type Upstream } from "./Upstream.ts"

const runs = 41
const lumens = 20
/** Lumens of the last transaction's bid. */
const fee = 0.00002

const [exchange, stranger] = [Keypair.random(), Keypair.random()]

const registry = ExchangeRegistry.layerValue({
  version: "1",
  lastVerified: "2026-01-01",
  validUntil: "2999-12-31",
  source: "none",
  entries: [{
    address: AccountAddress.make(exchange.publicKey()),
    name: "An exchange",
    domain: "exchange.example",
    requiresMediator: true,
    requiresMemo: true,
    memoType: "text"
  }]
})

const sourcesOver = ({ between }: Upstream) =>
  NewestEntries.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(ContractRpc.layer, LedgerApi.layer)),
    Layer.provideMerge(Layer.merge(settings, registry)),
    Layer.provide(
      Layer.effect(HttpClient.HttpClient, Effect.map(inMemoryTransport, HttpClient.transform((send, request) => between(request, send))))
    ),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer({ closeOnSubmit: false }))
  )

const close = (mediator: Keypair) => (source: Keypair) =>
  Effect.gen(function*() {
    const network = yield* Network
    const transaction = new TransactionBuilder(sourceAccount(yield* network.snapshot, source.publicKey()), {
      fee: "100",
      networkPassphrase: network.passphrase,
      memo: Memo.text("customer 42")
    })
      .addOperation(Operation.accountMerge({ destination: mediator.publicKey() }))
      .addOperation(
        Operation.payment({
          source: mediator.publicKey(),
          destination: exchange.publicKey(),
          asset: Asset.native(),
          amount: (lumens - fee).toFixed(7)
        })
      )
      .setTimeout(0).build()
    transaction.sign(source, mediator)
    yield* network.submit(transaction.toEnvelope())
  })

/** Closes of one ledger. */
const closes = (count: number) => (mediator: Keypair) =>
  Effect.gen(function*() {
    const sources = Array.from({ length: count }, () => Keypair.random())
    if (count > 0) yield* fund(String(lumens), ...sources)
    yield* Effect.forEach(sources, close(mediator), { discard: true })
  })

const gift = (mediator: Keypair) =>
  perform("a gift", {
    as: stranger,
    operations: [Operation.payment({ destination: mediator.publicKey(), asset: Asset.native(), amount: "0.01" })]
  })

const ledgers = [
  ["nothing", closes(0)],
  ["a gift of a stranger", gift],
  ["10 closes", closes(10)],
  ["50 closes", closes(50)]
] as const

const measure = (name: string, happens: (typeof ledgers)[number][1]) =>
  Effect.gen(function*() {
    const upstream = yield* makeUpstream(0)
    yield* Effect.gen(function*() {
      const { mediator } = yield* MediatorFunded
      yield* fund("1000", exchange, stranger)
      const address = AccountAddress.make(mediator.publicKey())
      const before = new Watched(0)
      yield* (yield* looksAt(address, before)).history
      yield* happens(mediator)
      yield* (yield* Network).closeLedger()
      const look = Effect.gen(function*() {
        const watched = new Watched(0)
        watched.newest = before.newest
        watched.isDue = false
        const { account, history } = yield* looksAt(address, watched)
        return Effect.zipRight(history, account).pipe(Effect.zipRight(Effect.sync(() => watched)))
      })
      yield* upstream.take
      const { alarm } = yield* Effect.flatten(look)
      if (alarm !== null) return yield* Effect.dieMessage(`the watch found ${alarm.rule}`)
      const requests = (yield* upstream.take).length
      yield* upstream.replay
      const figures: Array<number> = []
      for (let run = 0; run < 2 * runs; run++) {
        const cpu = yield* cpuWithin(yield* look)
        if (run >= runs) figures.push(cpu)
      }
      const cpu = median(figures)
      yield* Console.log(row([name, String(requests), millis(cpu), `${(cpu / ledgerSeconds / 10).toFixed(2)} %`]))
    }).pipe(Effect.provide(sourcesOver(upstream)))
  })

/** Cost of the watch over the mediator's account in each ledger. */
export const mediatorWatch = Effect.gen(function*() {
  yield* Console.log(`The watch over the mediator, once a ledger of ${ledgerSeconds} s, by what happened in it: the median of ${runs}.`)
  yield* Console.log("Share: of one core. Goal: under 1 % with 50 closes in every ledger.")
  yield* Console.log(row(["in the ledger", "requests", "CPU", "share"]))
  for (const [name, happens] of ledgers) yield* measure(name, happens)
})
