import { Effect, Stream } from "effect"
import { isDeepStrictEqual } from "node:util"
import { recomputed } from "../../scripts/receipt-check.ts"
import {
  closeAccount,
  type CloseEvent,
  type CloseOptions,
  type OfferedTransaction,
  type Plan,
  type Receipt,
  signWithKey
} from "../../src/client/Client.ts"
import { parseAmount } from "../../src/domain/Amount.ts"
import { accountKey } from "../../src/xdr/LedgerKeys.ts"
import { sandboxContracts } from "../client/support/CarefulOwner.ts"
import type { Dice } from "../client/support/Dice.ts"
import { harmIn } from "../client/support/Harm.ts"
import { give, isExit, movePrice, springTrap } from "../deep/support/campaign/Strangers.ts"
import { deliveredBy } from "./Delivery.ts"
import type { ExitPayouts } from "./ExitPayouts.ts"
import { fetching, type Unanswered } from "./Fetching.ts"
import { serviceOrigin } from "./HandedRequests.ts"
import type { LedgerOracle } from "./LedgerOracle.ts"
import type { Owner } from "./Owner.ts"
import type { Process } from "./Process.ts"
import { apiKey } from "./ServiceFiles.ts"
import type { ServiceProcess } from "./ServiceProcess.ts"
import { onNetwork, type World } from "./World.ts"

/** The parts that all clients share. */
export interface Around {
  readonly world: World
  readonly service: ServiceProcess
  readonly oracle: LedgerOracle
  readonly payouts: ExitPayouts
  readonly unanswered: Unanswered
  /** Restarts the service after a while. */
  readonly restart: Effect.Effect<void>
}

const witnessUrls = { rpcUrl: "http://witness.invalid/rpc", ledgerApiUrl: "http://witness.invalid/" }

/** Exit attempts that strangers made fail, by account. */
const spoiled = new WeakMap<Owner, number>()

/** Moves the contracts of a transaction as a stranger; null: no move. Returns the effect that moves them back. */
const movedBy = (world: World, { closing: { stage, story } }: Owner, offer: OfferedTransaction, times: number) => {
  if (stage === null) return Effect.succeed(null)
  if (isExit(offer) && times < story.spoiled.times) {
    return onNetwork(world, "a stranger moves a price", movePrice(stage, offer, story.spoiled.permille))
  }
  return stage.trap === null || !offer.covers.includes("HANDLE_TOKENS")
    ? Effect.succeed(null)
    : onNetwork(world, "a stranger stops a token", springTrap(stage.trap))
}

/** Strangers' interference between a build and its submission; they undo it later. */
const interfere = ({ world }: Around, owner: Owner, offer: OfferedTransaction) =>
  Effect.gen(function*() {
    if (world.isPeaceful) return
    const times = spoiled.get(owner) ?? 0
    const undo = yield* movedBy(world, owner, offer, times)
    if (undo === null) return
    spoiled.set(owner, times + 1)
    world.ledgers.fork(Effect.delay(onNetwork(world, "a stranger moves it back", undo), "25 seconds"))
  })

/** Kills the service or the client's own process from time to time. */
const mayCrash = (
  { restart, service, world }: Around,
  process: Process,
  dice: Dice,
  parts: readonly [ofService: number, ofClient: number]
): boolean => {
  if (world.isPeaceful) return false
  if (dice.chance(parts[0])) {
    service.kill()
    world.ledgers.fork(restart)
    return true
  }
  if (!dice.chance(parts[1])) return false
  world.log.note(process.name, "is killed")
  process.kill()
  return true
}

/** One attempt of an owner: the process, its dice, and a possible rewriter of answers. */
export interface Attempt {
  readonly owner: Owner
  readonly process: Process
  readonly dice: Dice
  readonly isLiedTo: boolean
}

/** The observations of one attempt. */
interface Seen {
  readonly planned: () => Plan | null
  /** The transaction that was offered last. */
  readonly offered: () => OfferedTransaction | null
  readonly looked: Map<string, unknown>
}

const isWarned = (warnings: Plan["warnings"] = []): boolean => warnings.some(({ code }) => code === "single_source")

const optionsOf = (around: Around, { dice, isLiedTo, owner, process }: Attempt, { looked, offered, planned }: Seen): CloseOptions => {
  const { payouts, world } = around
  const { destination, kind, memo, source } = owner.closing
  const mediator = kind === "mediated" ? world.mediators[0]?.publicKey() ?? null : null
  const agreed = {
    passphrase: world.network.passphrase,
    source: source.publicKey(),
    destination,
    mediator,
    feeCap: 60_000_000n,
    decisions: [],
    market: null
  }
  return {
    baseUrl: serviceOrigin,
    apiKey,
    network: "testnet",
    networkPassphrase: world.network.passphrase,
    source: source.publicKey(),
    destination,
    ...(memo === null ? {} : { memo: { type: "text", value: memo } }),
    ...(mediator === null ? {} : { mediator }),
    ...(dice.chance(0.5) ? { witness: witnessUrls } : {}),
    contracts: sandboxContracts,
    maxWaitMillis: 240_000,
    decide: (question) => {
      const decided = owner.decide(question)
      world.log.note(process.name, "decides", JSON.stringify(decided), "among", question.options.map(({ id }) => id).join())
      return decided
    },
    fetch: fetching({
      ...around,
      looked,
      client: process.name,
      liar: isLiedTo ? { dice, target: dice.pick(["plan", "build", "build", "everything"] as const) } : null
    }),
    sign: (request) =>
      Effect.gen(function*() {
        if (isLiedTo && kind === "plain") {
          const harm = harmIn(request.envelope, agreed)
          if (harm !== null) world.log.fault(`${process.name} is to sign ${harm}`)
        }
        const offer = offered()
        if (offer !== null && isExit(offer)) payouts.signed(request.envelope)
        if (offer !== null) yield* interfere(around, owner, offer)
        yield* Effect.sleep(500 + dice.below(20_000))
        // Both places are configured: one of them did not answer, and the other one may lie.
        if (!isWarned(planned()?.warnings) && isWarned(request.warnings)) return yield* Effect.fail(new Error("It rests on one source."))
        const envelope = yield* Effect.promise(async () => await signWithKey(source)(request) as string)
        if (mayCrash(around, process, dice, [0.1, 0.08])) world.log.saw("a crash between sign and submit")
        return envelope
      })
  }
}

/** A client's note of an event. */
const noted = (event: CloseEvent): string => {
  switch (event._tag) {
    case "waiting":
      return `${event.code} ${event.seconds}`
    case "question":
      return `${event.question.id} ${event.question.reason}`
    case "built":
      return event.transaction.hash.slice(0, 12)
    case "signed":
    case "submitted":
    case "verified":
    case "confirmed":
      return event.hash.slice(0, 12)
    default:
      return ""
  }
}

/** Compares a receipt's view of a transaction with the result that `scripts/receipt-check.ts` recomputes from the same answer. */
const checkOutcome = ({ world: { log, network } }: Around, { closing }: Owner, looked: Seen["looked"], event: CloseEvent): void => {
  if (event._tag !== "confirmed" || event.outcome === null) return
  const { destination, name, source } = closing
  const own = recomputed(looked.get(event.hash), { source: source.publicKey(), destination, networkPassphrase: network.passphrase })
  if (!isDeepStrictEqual(event.outcome, own)) log.fault(`the receipt of ${name} is wrong about ${event.hash}: ${JSON.stringify(own)}`)
  log.saw("a receipt that was recomputed")
}

/** Compares a receipt with the ledger. */
const checkReceipt = (around: Around, { owner }: Attempt, { closed }: Receipt): void => {
  const { oracle, world: { log } } = around
  const { destination, name, source } = owner.closing
  oracle.look()
  if (oracle.chain.state.get(accountKey(source.publicKey())) !== undefined) log.fault(`${name} is said to be closed, and is there`)
  const found = oracle.transaction(closed.hash)
  if (found?.successful !== true || found.facts.source !== source.publicKey()) return log.fault(`${name} was not closed by ${closed.hash}`)
  if (closed.paidTo !== destination) log.fault(`${name} paid ${closed.paidTo}`)
  const paid = deliveredBy(found)
  const received = parseAmount(closed.receivedLumens) ?? -1n
  if (received !== paid) log.fault(`${name} received ${paid} stroops, not ${received}`)
  for (const fault of owner.faults(around.world, oracle, paid)) log.fault(`${name}: ${fault}`)
}

/** Closes an account once, in the client's own process; true if it is closed. */
export const attempt = (around: Around, made: Attempt): Effect.Effect<boolean> => {
  const { oracle, world } = around
  const { dice, isLiedTo, owner, process } = made
  let offer: OfferedTransaction | null = null
  let plan: Plan | null = null
  let isClosed = false
  let gifts = 0
  const looked: Seen["looked"] = new Map()
  const closing = closeAccount(optionsOf(around, made, { planned: () => plan, offered: () => offer, looked }))
  const happened = (event: CloseEvent) =>
    Effect.gen(function*() {
      world.log.note(process.name, event._tag, noted(event))
      if (event._tag === "planned" && !isLiedTo) owner.agreed(event.plan, event.decisions, oracle.chain.history.latest.sequence)
      if (event._tag === "planned" && event.final && owner.closing.stage !== null && !world.isPeaceful) {
        const gift = owner.closing.story.meanwhile[gifts++] ?? "nothing"
        yield* onNetwork(world, gift, give(owner.closing.stage, gift))
      }
      if (event._tag === "planned") plan = event.plan
      if (event._tag === "built") offer = event.transaction
      if (!isLiedTo) checkOutcome(around, owner, looked, event)
      if (event._tag === "submitted") mayCrash(around, process, dice, [0.04, 0.04])
      if (event._tag === "receipt") {
        isClosed = !isLiedTo
        if (!isLiedTo) checkReceipt(around, made, event.receipt)
      }
    })
  return process.run(Stream.runForEach(closing.events, happened)).pipe(
    Effect.catchAll((failure) =>
      Effect.sync(() => {
        world.log.note(process.name, "ends by", failure._tag, failure.message.slice(0, 200).replaceAll("\n", " "))
        world.log.saw(`ended by ${failure._tag}`)
        if (isLiedTo && (failure._tag === "TransactionNotVerified" || failure._tag === "UnexpectedAnswer")) world.log.saw("a lie detected")
      })
    ),
    Effect.map(() => isClosed)
  )
}
