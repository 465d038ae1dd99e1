import { HttpClient } from "@effect/platform"
import { Asset, Keypair, Memo, Operation, type xdr } from "@stellar/stellar-sdk"
import { Effect, Layer } from "effect"
import { ContractRpc } from "../../../src/chain/ContractRpc.ts"
import { LedgerApi } from "../../../src/chain/LedgerApi.ts"
import { NetworkSettings, sandboxAddress } from "../../../src/chain/NetworkSettings.ts"
import { NewestEntries } from "../../../src/chain/witness/NewestEntries.ts"
import { ExchangeRegistry } from "../../../src/registry/ExchangeRegistry.ts"
import { Friendbot } from "../../../src/sandbox/Friendbot.ts"
import { inMemoryTransport } from "../../../src/sandbox/InMemoryTransport.ts"
import { Network } from "../../../src/sandbox/Network.ts"
import { MediatorFunded } from "../../../src/sandbox/scenarios/MediatorFunded.ts"
import { fund, perform } from "../../../src/sandbox/scenarios/Scenario.ts"
import { addressOf, type Between } from "../../account/support/World.ts"
import { twoOperations } from "./Mediated.ts"

const settings = (others: ReadonlyArray<string>) =>
  Layer.effect(
    NetworkSettings,
    Effect.map(Network, ({ passphrase }) => {
      const address = sandboxAddress({ passphrase, rpcUrl: "http://sandbox.invalid/rpc", ledgerApiUrl: "http://sandbox.invalid/" })
      return { ...address, rpcUrls: [...address.rpcUrls, ...others.map((host) => new URL(`http://${host}/rpc`))] }
    })
  )

/**
 * What a watch reads: the sources of a service over a sandbox network in this process. `between` sees every request. `others`: hosts of more
 * endpoints of the contract RPC.
 */
export const watchedLedger = (between: Between = (_, send) => send, others: ReadonlyArray<string> = []) =>
  NewestEntries.layer.pipe(
    Layer.provideMerge(Layer.merge(ContractRpc.layer, LedgerApi.layer)),
    Layer.provideMerge(settings(others)),
    Layer.provide(Layer.effect(
      HttpClient.HttpClient,
      Effect.map(inMemoryTransport, HttpClient.transform((send, request) => between(request, send)))
    )),
    Layer.provide(Friendbot.layer),
    Layer.provideMerge(Network.layer())
  )

/** A payment of lumens. */
export const payment = (source: Keypair, destination: Keypair, amount: string) =>
  Operation.payment({ source: source.publicKey(), destination: destination.publicKey(), asset: Asset.native(), amount })

/** Applies operations in a ledger of their own without any signature. */
export const enacted = (by: Keypair, ...operations: ReadonlyArray<xdr.Operation>) =>
  Effect.flatMap(Network, (network) => network.enact(by.publicKey(), operations))

/** What an account of 20 lumens delivers by a close, in stroops: all but the fee of two operations. */
export const delivered = 20_0000000n - 200n

/** A registry with an exchange that takes payments only, and another that no one has checked. */
const registryOf = (exchange: Keypair, unchecked: Keypair) =>
  ExchangeRegistry.layerValue({
    version: "1",
    lastVerified: "1970-01-01",
    validUntil: "2999-01-01",
    source: "made for a test",
    entries: [{
      address: addressOf(exchange),
      name: "An exchange",
      domain: "exchange.example",
      requiresMediator: true,
      requiresMemo: true,
      memoType: "text"
    }],
    unverified: [{
      address: addressOf(unchecked),
      name: "Another exchange",
      evidence: [{ source: "a list", url: "https://list.example", checkedAt: "1970-01-01" }]
    }]
  })

/** A mediator, an exchange that takes payments only, the operator's own account and a stranger, and closes through that mediator. */
export const mediated = Effect.gen(function*() {
  const { mediator } = yield* MediatorFunded
  const [exchange, unchecked, operator, stranger] = [Keypair.random(), Keypair.random(), Keypair.random(), Keypair.random()]
  yield* fund("1000", exchange, unchecked, operator, stranger)

  /** A stranger gives the mediator lumens. */
  const gift = (amount: string) => enacted(stranger, payment(stranger, mediator, amount))

  /** A new account of 20 lumens. */
  const closing = Effect.suspend(() => {
    const source = Keypair.random()
    return Effect.as(fund("20", source), source)
  })

  /** What a close of an account consists of, which pays so many stroops. */
  const operationsOf = (source: Keypair, amount: bigint, to = exchange) =>
    twoOperations({ source, mediator: mediator.publicKey(), destination: to.publicKey(), amount })

  /** The close of an account, signed. */
  const close = (source: Keypair, amount: bigint, to = exchange) =>
    perform("a close", {
      as: source,
      signedBy: [source, mediator],
      memo: Memo.text("customer 42"),
      operations: operationsOf(source, amount, to)
    })

  return {
    mediator,
    exchange,
    unchecked,
    operator,
    stranger,
    registry: registryOf(exchange, unchecked),
    gift,
    closing,
    operationsOf,
    close
  }
})
