import { Clock, Effect } from "effect"
import { counted } from "../domain/CountedNoun.ts"
import type { ComponentHealth } from "../domain/Health.ts"
import { unixSeconds } from "../domain/Instant.ts"
import { newerProtocol } from "../domain/NewerProtocol.ts"
import { tolerableLag } from "./CloseInterval.ts"
import { ContractRpc } from "./ContractRpc.ts"
import type { EndpointTip, SurveyedEndpoint } from "./EndpointTip.ts"
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

const tips = (all: ReadonlyArray<SurveyedEndpoint>): ReadonlyArray<EndpointTip> =>
  all.flatMap((one) => (one._tag === "Here" ? [one.tip] : []))

const newestOf = (all: ReadonlyArray<SurveyedEndpoint>): EndpointTip | undefined =>
  tips(all).toSorted((left, right) => right.ledger - left.ledger)[0]

/** What is wrong with single endpoints while others serve, in words without their addresses: the report is public. */
const troubles = (all: ReadonlyArray<SurveyedEndpoint>, tolerable: number): ReadonlyArray<string> => {
  const newest = newestOf(all)?.ledger ?? 0
  const share = (count: number, what: string) => (count === 0 ? [] : [`${count} of ${counted(all.length, "endpoint")}: ${what}`])
  const count = (is: (one: SurveyedEndpoint) => boolean) => all.filter(is).length
  return [
    ...share(count((one) => one._tag === "Foreign"), "another network than the configured one"),
    ...share(count((one) => one._tag === "Silent" && !one.throttled), "no response"),
    ...share(count((one) => one._tag === "Silent" && one.throttled), "rate limited"),
    ...share(
      count((one) => one._tag === "Here" && newest - one.tip.ledger > tolerable),
      `more than ${counted(tolerable, "ledger")} behind`
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
  /**
   * Age in seconds of a ledger with this close time (Unix seconds), where builds reject it as too old, or as too far ahead of the clock (then
   * below zero). Null: they accept it.
   */
  readonly secondsOver: (closeTime: bigint) => Effect.Effect<number | null>
}

/** When and how endpoints are judged. */
interface Judging extends Omit<ProbeExpectation, "secondsOver"> {
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
  all: ReadonlyArray<SurveyedEndpoint>,
  over: number | null,
  { closesOnDemand, modelProtocol, now, tolerable }: Judging
): ComponentHealth => {
  const newest = newestOf(all)
  if (newest === undefined) return down(troubles(all, tolerable).join("; "))
  const age = closesOnDemand ? 0n : ageOf(newest, now)
  const aged = ageNote(newest, age, over)
  const noted = aged === null ? [] : [aged]
  if (age > uselessAge) return down([...noted, ...troubles(all, tolerable)].join("; "))
  const newer = newest.protocolVersion === null ? null : newerProtocol(newest.protocolVersion, modelProtocol)
  return up([...noted, ...(newer === null ? [] : [newer]), ...troubles(all, tolerable)])
}

/** A network without a ledger API cannot miss it. */
const withoutLedgerApi = up(["none is configured (RPC-only mode): claimable balances, issued assets and order books are not listed"])

const ledgerApiHealth = (
  all: ReadonlyArray<SurveyedEndpoint>,
  rpc: ReadonlyArray<SurveyedEndpoint>,
  { tolerable }: Judging
): ComponentHealth => {
  const newest = newestOf(all)
  if (newest === undefined) return down(troubles(all, tolerable).join("; "))
  const behind = (newestOf(rpc)?.ledger ?? 0) - newest.ledger
  const lagging = `${counted(behind, "ledger")} behind the contract RPC, so no merge is built`
  if (behind > useless * tolerable) return down([lagging, ...troubles(all, tolerable)].join("; "))
  return up([...(behind > tolerable ? [lagging] : []), ...troubles(all, tolerable)])
}

/**
 * Whether the sources of one network are any use. Queries the network and the newest ledger of every endpoint, for at most 2.5 s. Down:
 * none serves this network, or the newest ledger is minutes old. Up with a message: some endpoint is no use, something lags, or builds reject
 * the newest ledger for its age.
 */
export const probes = (
  { secondsOver, ...expected }: ProbeExpectation
): Effect.Effect<{ readonly rpc: ComponentHealth; readonly ledgerApi: ComponentHealth }, never, ContractRpc | LedgerApi> =>
  Effect.gen(function*() {
    const { closeInterval, newerXdr: newerOfRpc, survey: askRpc } = yield* ContractRpc
    const { absent, newerXdr: newerOfApi, survey: askLedgerApi } = yield* LedgerApi
    const [rpc, api] = yield* Effect.all([askRpc, askLedgerApi], { concurrency: 2 })
    const judging = { ...expected, now: yield* Clock.currentTimeMillis, tolerable: tolerableLag(yield* closeInterval) }
    const newest = newestOf(rpc)
    const over = newest === undefined ? null : yield* secondsOver(newest.closeTime)
    return {
      rpc: withNote(rpcHealth(rpc, over, judging), yield* newerOfRpc),
      ledgerApi: absent !== null ? withoutLedgerApi : withNote(ledgerApiHealth(api, rpc, judging), yield* newerOfApi)
    }
  })
