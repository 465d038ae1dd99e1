import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { DemoAccount } from "../../../../src/sandbox/scenarios/DemoAccount.ts"
import { ExchangeDeposit } from "../../../../src/sandbox/scenarios/ExchangeDeposit.ts"
import { MediatorFunded } from "../../../../src/sandbox/scenarios/MediatorFunded.ts"
import { fund } from "../../../../src/sandbox/scenarios/Scenario.ts"

/** An account to close. */
export interface ChaosAccount {
  readonly source: Keypair
  readonly destination: string
  /** The memo of a deposit at the exchange, which needs the mediator; null for an account that is merged into its destination. */
  readonly memo: string | null
}

/** Accounts that are made in one transaction, at most. */
const mostAtOnce = 50

const fundAll = Effect.fnUntraced(function*(lumens: string, accounts: ReadonlyArray<Keypair>) {
  for (let from = 0; from < accounts.length; from += mostAtOnce) yield* fund(lumens, ...accounts.slice(from, from + mostAtOnce))
})

/** This many accounts: one in ten holds some classic entries of each kind, one in five closes into an exchange through the mediator. */
export const chaosCast = Effect.fnUntraced(function*(count: number) {
  const { deposit } = yield* ExchangeDeposit
  const { mediator } = yield* MediatorFunded
  const operator = Keypair.random()
  yield* fund("100", operator)
  const accounts: Array<ChaosAccount> = []
  const [sources, destinations] = [[], []] as [Array<Keypair>, Array<Keypair>]
  for (let at = 0; at < count; at++) {
    if (at % 10 === 1) {
      const { destination, source } = yield* DemoAccount
      accounts.push({ source, destination: destination.publicKey(), memo: null })
      continue
    }
    const [source, destination] = [Keypair.random(), Keypair.random()]
    sources.push(source)
    if (at % 5 === 2) accounts.push({ source, destination: deposit.publicKey(), memo: `customer ${at}` })
    else {
      destinations.push(destination)
      accounts.push({ source, destination: destination.publicKey(), memo: null })
    }
  }
  yield* fundAll("37.5", sources)
  yield* fundAll("2", destinations)
  return { accounts, exchange: deposit.publicKey(), mediator, operator: operator.publicKey() }
})

/** A registry file with one exchange, which a mediator pays. */
export const registryWith = (exchange: string): string =>
  JSON.stringify({
    version: "1",
    lastVerified: "2026-01-01",
    validUntil: "2999-01-01",
    source: "made for a test",
    entries: [{
      address: exchange,
      name: "An exchange",
      domain: "exchange.example",
      requiresMediator: true,
      requiresMemo: true,
      memoType: "text"
    }]
  })
