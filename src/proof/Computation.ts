import { FileSystem, HttpClient } from "@effect/platform"
import { SystemError } from "@effect/platform/Error"
import { Array as Arr, Cause, Clock, ConfigProvider, Effect, Exit, Layer, Logger, LogLevel, Option, Schema } from "effect"
import { withPatience } from "../chain/pace/Patience.ts"
import { Builder } from "../close/answer/Builder.ts"
import { Planner } from "../close/answer/Planner.ts"
import { MediatorSigner } from "../close/situation/MediatorSigner.ts"
import { MediatorWatch } from "../close/situation/MediatorWatch.ts"
import { TransactionsRequest, TransactionsResult } from "../domain/CloseTransaction.ts"
import { CloseRequest, Plan } from "../domain/Plan.ts"
import { Reloads } from "../domain/Reloads.ts"
import { Networks, type ServedNetwork } from "../Networks.ts"
import { ContractAddresses } from "../registry/ContractAddresses.ts"
import { ExchangeRegistry } from "../registry/ExchangeRegistry.ts"
import type { ProofTerms } from "./ProofBundle.ts"

/** What a stack has that no file holds: decoders that are not those of this version, and where scans are stored. */
export type Furnishing = Pick<ServedNetwork, "protocols" | "scans">

/** A clock whose date stands still. Ages and pauses go on. */
const standingStill = (date: number, clock: Clock.Clock): Clock.Clock => ({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  currentTimeMillis: Effect.succeed(date),
  currentTimeNanos: clock.currentTimeNanos,
  unsafeCurrentTimeMillis: () => date,
  unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
  sleep: (duration) => clock.sleep(duration)
})

/** Files that lie in the terms. */
const filesOf = (files: ProofTerms["files"]) =>
  FileSystem.layerNoop({
    readFileString: (path) => {
      const text = files[path]
      return text === undefined
        ? Effect.fail(new SystemError({ reason: "NotFound", module: "FileSystem", method: "readFileString", pathOrDescriptor: path }))
        : Effect.succeed(text)
    }
  })

/** The mediator's address without its key: nothing is signed. */
const mediatorOf = (address: ProofTerms["mediator"]) =>
  Layer.succeed(MediatorSigner, {
    mediator: Option.map(Option.fromNullable(address), (known) => ({
      address: known,
      sign: () => Effect.dieMessage("a computation for a proof signs nothing")
    }))
  })

/** What is read for a computation is not read again with the settings of the process. */
const noReloads = Layer.succeed(Reloads, { add: () => Effect.void })

const urlsOf = (urls: Arr.NonEmptyReadonlyArray<string>) => Arr.map(urls, (url) => new URL(url))

const servedBy = (terms: ProofTerms, furnishing: Furnishing): ServedNetwork => ({
  address: {
    network: terms.network,
    passphrase: terms.passphrase,
    rpcUrls: urlsOf(terms.rpcUrls),
    ledgerApiUrls: terms.ledgerApiUrls.map((url) => new URL(url)),
    sandbox: terms.sandbox
  },
  contracts: ContractAddresses.layerFile(terms.network),
  mediator: mediatorOf(terms.mediator),
  watch: MediatorWatch.layerNone,
  ...furnishing
})

/** The JSON of an answer, by the service that gives it. */
const answerTo = ({ operation, request }: ProofTerms) =>
  Effect.gen(function*() {
    if (operation === "plan") {
      const planner = yield* Planner
      const plan = yield* planner.plan(yield* Schema.decodeUnknown(CloseRequest)(request))
      return yield* Schema.encode(Schema.parseJson(Plan))(plan)
    }
    const builder = yield* Builder
    const built = yield* builder.next(yield* Schema.decodeUnknown(TransactionsRequest)(request))
    return yield* Schema.encode(Schema.parseJson(TransactionsResult))(built)
  })

/** The outcome of a computation: the JSON of its answer, or the failure in words. */
export type Outcome =
  | { readonly _tag: "Answer"; readonly text: string }
  | { readonly _tag: "Failure"; readonly isDefect: boolean; readonly reason: string }

const outcomeOf = (exit: Exit.Exit<string, unknown>): Outcome =>
  Exit.match(exit, {
    onSuccess: (text): Outcome => ({ _tag: "Answer", text }),
    onFailure: (cause): Outcome => {
      const failure = Cause.squash(cause)
      return { _tag: "Failure", isDefect: Cause.isDie(cause), reason: failure instanceof Error ? failure.message : String(failure) }
    }
  })

/**
 * Computes an answer by the terms alone: on a stack of its own that remembers nothing of other requests, with the date, the settings and the
 * files of the terms. What it needs of the ledger it asks of the client. The mediator is not watched.
 */
export const computed = (terms: ProofTerms, client: HttpClient.HttpClient, furnishing: Furnishing): Effect.Effect<Outcome> => {
  const answer = Effect.flatMap(Networks, ({ on }) => withPatience(on(terms.network)(answerTo(terms))))
  const stack = Networks.layer([servedBy(terms, furnishing)]).pipe(
    Layer.provide(ExchangeRegistry.layerFile),
    Layer.provide(Layer.mergeAll(filesOf(terms.files), Layer.succeed(HttpClient.HttpClient, client), noReloads))
  )
  return Effect.clockWith((clock) =>
    Effect.provide(answer, stack).pipe(
      Effect.exit,
      Effect.map(outcomeOf),
      Effect.withClock(standingStill(terms.date, clock)),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(terms.settings)))),
      Logger.withMinimumLogLevel(LogLevel.None)
    )
  )
}
