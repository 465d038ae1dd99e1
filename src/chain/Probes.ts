import { Clock, Effect } from "effect"
import { counted } from "../domain/CountedNoun.ts"
import type { ComponentHealth } from "../domain/Health.ts"
import { unixSeconds } from "../domain/Instant.ts"
import { newerProtocol } from "../domain/NewerProtocol.ts"
import { tolerableLag } from "./CloseInterval.ts"
import { ContractRpc } from "./ContractRpc.ts"
import { currentTips, furthestOf } from "./CurrentTips.ts"
import type { EndpointTip, SurveyedEndpoint } from "./EndpointTip.ts"
import type { RejectedAge } from "./LedgerAge.ts"
import { LedgerApi } from "./LedgerApi.ts"

/** Age in seconds from which a newest ledger is reported as old; a contract RPC calls itself unhealthy then too. */
const noticeableAge = 30n

/** Seconds after which it is no use, however fast the network closes ledgers. */
const uselessAge = 300n

/** So many times a tolerable lag behind the contract RPC a ledger API is no use. */
const useless = 10

const up = (notes: ReadonlyArray<string>): ComponentHealth =>
  notes.length === 0 ? { status: "up" } : { status: "up", message: notes.join("; ") }

/** The same with something more to say. */
const withNote = (health: ComponentHealth, note: string | null): ComponentHealth =>
  note === null ? health : { ...health, message: [...(health.message === undefined ? [] : [health.message]), note].join("; ") }

const down = (message: string): ComponentHealth => ({ status: "down", message })

/** The endpoints of one source, and their current tips (`CurrentTips.ts`). */
interface Surveyed {
  readonly all: ReadonlyArray<SurveyedEndpoint>
  readonly current: ReadonlyArray<EndpointTip | null>
  readonly newest: EndpointTip | null
}

const surveyedBy = (rejectedAge: RejectedAge) => (all: ReadonlyArray<SurveyedEndpoint>): Effect.Effect<Surveyed> =>
  Effect.map(currentTips(all, rejectedAge), (current) => ({ all, current, newest: furthestOf(current) }))

/** What is wrong with single endpoints while others serve, in words without their addresses: the report is public. */
const troubles = ({ all, current, newest }: Surveyed, tolerable: number): ReadonlyArray<string> => {
  const share = (count: number, what: string) => (count === 0 ? [] : [`${count} of ${counted(all.length, "endpoint")}: ${what}`])
  const count = (is: (one: SurveyedEndpoint, index: number) => boolean) => all.filter(is).length
  const isBehind = ({ ledger }: EndpointTip): boolean => (newest?.ledger ?? 0) - ledger > tolerable
  return [
    ...share(count((one) => one._tag === "Foreign"), "another network than the configured one"),
    ...share(count((one) => one._tag === "Silent" && !one.throttled), "no response"),
    ...share(count((one) => one._tag === "Silent" && one.throttled), "rate limited"),
    ...share(count((one) => one._tag === "Here" && isBehind(one.tip)), `more than ${counted(tolerable, "ledger")} behind`),
    ...share(
      count((one, index) => one._tag === "Here" && !isBehind(one.tip) && current[index] === null),
      "a newest ledger far from this machine's clock"
    )
  ]
}

const ageOf = ({ closeTime }: EndpointTip, now: number): bigint => unixSeconds(now) - closeTime

/** What endpoints are compared with. */
export interface ProbeExpectation {
  /** Whether ledgers close only when someone asks for one, as the embedded sandbox's do: an old one is then no sign of trouble. */
  readonly closesOnDemand: boolean
  /** The newest protocol that the ledger model knows. */
  readonly modelProtocol: number
  /** By which builds reject ledgers. */
  readonly rejectedAge: RejectedAge
}

/** When and how endpoints are judged. */
interface Judging extends Omit<ProbeExpectation, "rejectedAge"> {
  /** Milliseconds of the clock. */
  readonly now: number
  /** Ledgers that one may be behind. */
  readonly tolerable: number
}

/** What is to be said of the newest ledger's age, in words: that builds reject it (`over`, its age then), or that it is old. */
const ageNote = ({ ledger }: EndpointTip, age: bigint, over: number | null): string | null => {
  if (over === null) return age > noticeableAge ? `the newest ledger, ${ledger}, closed ${counted(age, "second")} ago` : null
  const closes = over > 0 ? `closed ${counted(over, "second")} ago` : `closes ${counted(-over, "second")} from now`
  return `the newest ledger, ${ledger}, ${closes}, or this machine's clock is wrong, so nothing is built`
}

/** `over`: age of the newest ledger in seconds, where builds reject it; null where they accept it. */
const rpcHealth = (
  rpc: Surveyed,
  over: number | null,
  { closesOnDemand, modelProtocol, now, tolerable }: Judging
): ComponentHealth => {
  const { newest } = rpc
  const wrong = troubles(rpc, tolerable)
  if (newest === null) return down(wrong.join("; "))
  const age = closesOnDemand ? 0n : ageOf(newest, now)
  const aged = ageNote(newest, age, over)
  const noted = aged === null ? [] : [aged]
  if (age > uselessAge) return down([...noted, ...wrong].join("; "))
  const newer = newest.protocolVersion === null ? null : newerProtocol(newest.protocolVersion, modelProtocol)
  return up([...noted, ...(newer === null ? [] : [newer]), ...wrong])
}

/** A network without a ledger API cannot miss it. */
const withoutLedgerApi = up(["none is configured (RPC-only mode): claimable balances, issued assets and order books are not listed"])

const ledgerApiHealth = (api: Surveyed, rpc: Surveyed, { tolerable }: Judging): ComponentHealth => {
  const wrong = troubles(api, tolerable)
  if (api.newest === null) return down(wrong.join("; "))
  const behind = (rpc.newest?.ledger ?? 0) - api.newest.ledger
  const lagging = `${counted(behind, "ledger")} behind the contract RPC, so no merge is built`
  if (behind > useless * tolerable) return down([lagging, ...wrong].join("; "))
  return up([...(behind > tolerable ? [lagging] : []), ...wrong])
}

/**
 * Whether the sources of one network are any use. Queries the network and the newest ledger of every endpoint, for at most 2.5 s. Down:
 * none serves this network, or the newest ledger is minutes old. Up with a message: some endpoint is no use, something lags, or builds reject
 * the newest ledger for its age.
 */
export const probes = (
  { rejectedAge, ...expected }: ProbeExpectation
): Effect.Effect<{ readonly rpc: ComponentHealth; readonly ledgerApi: ComponentHealth }, never, ContractRpc | LedgerApi> =>
  Effect.gen(function*() {
    const { closeInterval, newerXdr: newerOfRpc, survey: askRpc } = yield* ContractRpc
    const { absent, newerXdr: newerOfApi, survey: askLedgerApi } = yield* LedgerApi
    const surveyed = Effect.flatMap(surveyedBy(rejectedAge))
    const [rpc, api] = yield* Effect.all([surveyed(askRpc), surveyed(askLedgerApi)], { concurrency: 2 })
    const judging = { ...expected, now: yield* Clock.currentTimeMillis, tolerable: tolerableLag(yield* closeInterval) }
    const over = rpc.newest === null ? null : yield* rejectedAge(rpc.newest.closeTime)
    return {
      rpc: withNote(rpcHealth(rpc, over, judging), yield* newerOfRpc),
      ledgerApi: absent !== null ? withoutLedgerApi : withNote(ledgerApiHealth(api, rpc, judging), yield* newerOfApi)
    }
  })
