import type { Keypair } from "@stellar/stellar-sdk"
import { Clock, Effect } from "effect"
import type { NetworkAddress } from "./chain/NetworkSettings.ts"
import { AccountAddress } from "./domain/Address.ts"
import type { ExchangeRegistry } from "./domain/ExchangeRegistry.ts"
import { Network as SandboxNetwork } from "./sandbox/Network.ts"
import { startSandbox } from "./sandbox/Sandbox.ts"
import { DemoAccount } from "./sandbox/scenarios/DemoAccount.ts"
import { ExchangeDeposit } from "./sandbox/scenarios/ExchangeDeposit.ts"
import { FundedPair } from "./sandbox/scenarios/FundedPair.ts"
import { MediatorFunded } from "./sandbox/scenarios/MediatorFunded.ts"

/** An account made at start, ready to be closed into another. Its keys are worth nothing. */
export interface PreparedAccount {
  readonly name: string
  readonly source: Keypair
  readonly destination: Keypair
}

const day = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** A registry of the sandbox's two exchanges, verified today and valid for a month: nobody but this process relies on it. */
const registryOf = (deposit: string, mediated: string, now: number): ExchangeRegistry => ({
  version: "sandbox",
  lastVerified: day(now),
  validUntil: day(now + 30 * 86_400_000),
  source: "made by the embedded sandbox at start",
  entries: [{
    address: AccountAddress.make(deposit),
    name: "Sandbox Exchange",
    domain: "exchange.sandbox.example",
    requiresMediator: false,
    requiresMemo: true,
    memoType: "id"
  }, {
    address: AccountAddress.make(mediated),
    name: "Sandbox Payments Exchange",
    domain: "payments.exchange.sandbox.example",
    requiresMediator: true,
    requiresMemo: true,
    memoType: "text"
  }]
})

/** Starts a sandbox network on loopback and prepares accounts on it by real transactions. */
export const embeddedSandbox = Effect.gen(function*() {
  const { ledgerApiUrl, network, passphrase, rpcUrl } = yield* startSandbox()
  const on = Effect.provideService(SandboxNetwork, network)
  const demo = yield* on(DemoAccount)
  const pair = yield* on(FundedPair)
  const { deposit } = yield* on(ExchangeDeposit)
  const { deposit: mediated } = yield* on(ExchangeDeposit)
  const { mediator } = yield* on(MediatorFunded)
  const address: NetworkAddress = {
    network: "testnet",
    passphrase,
    rpcUrls: [new URL(rpcUrl)],
    ledgerApiUrls: [new URL(ledgerApiUrl)],
    sandbox: true
  }
  const prepared: ReadonlyArray<PreparedAccount> = [
    { name: "an account with a bit of everything", source: demo.source, destination: demo.destination },
    { name: "a plain account", source: pair.source, destination: pair.destination }
  ]
  return { network, address, prepared, mediator, registry: registryOf(deposit.publicKey(), mediated.publicKey(), yield* Clock.currentTimeMillis) }
})

export type EmbeddedSandbox = Effect.Effect.Success<typeof embeddedSandbox>
