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
}

/** When and how endpoints are judged. */
interface Judging extends ProbeExpectation {
  /** Milliseconds of the clock. */
  readonly now: number
  /** Ledgers that one may be behind. */
  readonly tolerable: number
}

const rpcHealth = (all: ReadonlyArray<SurveyedEndpoint>, { closesOnDemand, modelProtocol, now, tolerable }: Judging): ComponentHealth => {
  const newest = newestOf(all)
  if (newest === undefined) return down(troubles(all, tolerable).join("; "))
  const age = closesOnDemand ? 0n : ageOf(newest, now)
  const aged = `the newest ledger, ${newest.ledger}, closed ${counted(age, "second")} ago`
  if (age > uselessAge) return down([aged, ...troubles(all, tolerable)].join("; "))
  const newer = newest.protocolVersion === null ? null : newerProtocol(newest.protocolVersion, modelProtocol)
  return up([...(age > noticeableAge ? [aged] : []), ...(newer === null ? [] : [newer]), ...troubles(all, tolerable)])
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
 * none serves this network, or the newest ledger is minutes old. Up with a message: some endpoint is no use, or something lags.
 */
export const probes = (
  expected: ProbeExpectation
): Effect.Effect<{ readonly rpc: ComponentHealth; readonly ledgerApi: ComponentHealth }, never, ContractRpc | LedgerApi> =>
  Effect.gen(function*() {
    const { closeInterval, newerXdr: newerOfRpc, survey: askRpc } = yield* ContractRpc
    const { absent, newerXdr: newerOfApi, survey: askLedgerApi } = yield* LedgerApi
    const [rpc, api] = yield* Effect.all([askRpc, askLedgerApi], { concurrency: 2 })
    const judging = { ...expected, now: yield* Clock.currentTimeMillis, tolerable: tolerableLag(yield* closeInterval) }
    return {
      rpc: withNote(rpcHealth(rpc, judging), yield* newerOfRpc),
      ledgerApi: absent !== null ? withoutLedgerApi : withNote(ledgerApiHealth(api, rpc, judging), yield* newerOfApi)
    }
  })
