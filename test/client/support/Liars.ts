import { Effect } from "effect"
import { DemoAccount } from "../../../src/sandbox/scenarios/DemoAccount.ts"
import { HolderWithMarket, Pair } from "../../close/support/Accounts.ts"
import { exchanges } from "../../close/support/Mediated.ts"
import { Service } from "../../close/support/Service.ts"
import { startTestService, withAccounts } from "../../support/TestService.ts"
import { careful } from "./CarefulOwner.ts"
import { optionsFor } from "./Closes.ts"
import { closedThrough } from "./Middle.ts"

/** Three kinds of accounts to close through a lying service; the test knows the worth of each. */
const victims = Effect.gen(function*() {
  const service = yield* Service
  const holder = yield* service.on(HolderWithMarket())
  const demo = yield* service.on(DemoAccount)
  const { source } = yield* service.on(Pair("37.5"))
  const { payments } = yield* exchanges
  return [
    { source: holder.source, options: optionsFor(service, holder.source, holder.destination.publicKey()) },
    {
      source: demo.source,
      options: {
        ...optionsFor(service, demo.source, demo.destination.publicKey()),
        decide: (question: Parameters<typeof careful>[0]) =>
          careful(question) ?? question.options.find(({ id }) => id === "return_to_issuer")?.id ?? null
      }
    },
    {
      source,
      options: {
        ...optionsFor(service, source, payments),
        mediator: service.mediator,
        memo: { type: "text" as const, value: "customer 42" }
      }
    }
  ]
})

/** The number of closes, and their first seed; `report` gets the sums after each hundred of them. */
interface Closes {
  readonly first: number
  readonly count: number
  readonly report?: (text: string) => void
}

/** This many closes through lying services, every second one with a witness. Returns those that would have caused harm. */
export const closesThroughLiars = ({ count, first, report = () => {} }: Closes) =>
  Effect.scoped(Effect.gen(function*() {
    const service = yield* startTestService({}, withAccounts)
    const all = yield* Effect.provideService(victims, Service, service)
    const harmed: Array<string> = []
    const stopped = new Map<string, number>()
    let signed = 0
    for (let seed = first; seed < first + count; seed++) {
      const victim = all[seed % all.length]
      if (victim === undefined) continue
      const isWitnessed = seed % 2 === 0
      const options = isWitnessed ? { ...victim.options, witness: service.ledger } : victim.options
      // In this market half a lumen is paid for each unit of USD, and 3 % less is the caller's limit.
      const market = isWitnessed && seed % all.length === 0
        ? (_asset: string, amount: string) => BigInt(amount.replace(".", "")) / 2n * 97n / 100n
        : null
      const { by, harm } = yield* closedThrough(seed, service, { ...victim, options }, market)
      if (harm !== null) harmed.push(`${seed}: ${harm}`)
      if (by === "signed") signed++
      else stopped.set(by, (stopped.get(by) ?? 0) + 1)
      const made = seed - first + 1
      if (made % 100 === 0) report(`${made} closes: signed ${signed}, harmed ${harmed.length}, stopped by ${JSON.stringify([...stopped])}`)
    }
    return { harmed, signed, stopped }
  }))
