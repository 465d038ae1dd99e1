import { type Context, Duration, Effect, Either, Schema } from "effect"
import type { AnyFailure } from "../../api/ErrorTable.ts"
import { deadlines, DeadlineSeconds } from "../../api/RouteLimits.ts"
import { withPatience } from "../../chain/pace/Patience.ts"
import { Requester } from "../../close/load/Requester.ts"
import { AccountAddress, accountAddressProblem } from "../../domain/Address.ts"
import { decoding } from "../../domain/failure/DecodeIssues.ts"
import { InvalidAddress, InvalidBody, InvalidNetwork, InvalidTransaction } from "../../domain/failure/Input.ts"
import { ConfirmationRequired } from "../../domain/failure/Planning.ts"
import { DeadlineExceeded, NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import { Network } from "../../domain/Network.ts"
import { lazily } from "../../fibers/Lazily.ts"
import type { Networks } from "../../Networks.ts"
import { explain } from "../../verify/Explain.ts"
import { readAccount } from "../handlers/AccountHandlers.ts"
import { nextTransaction, planClose } from "../handlers/CloseHandlers.ts"
import { preflight } from "../handlers/PreflightHandlers.ts"
import { submitSigned } from "../handlers/SubmitHandlers.ts"
import { type Confirmed, leavesLater, losingDecisions, offeredLosses, unconfirmed } from "./Loss.ts"
import { isFields } from "./Message.ts"
import { type ToolAnswer, toolFailure, toolResult } from "./ToolAnswer.ts"
import { tools } from "./ToolDefinitions.ts"

const isNetwork = Schema.is(Network)
const isAccount = Schema.is(AccountAddress)

/** Work with the deadline, and the patience with sources, of a request of its own: a tool may do what two requests do. */
const within = (seconds: number) => <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E | DeadlineExceeded, R> =>
  Effect.flatMap(Requester, ({ path }) =>
    withPatience(Effect.disconnect(work)).pipe(
      Effect.provideService(Requester, { path, deadline: Duration.seconds(seconds) }),
      Effect.timeoutFail({ duration: Duration.seconds(seconds), onTimeout: () => new DeadlineExceeded() })
    ))

const withinRead = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.flatMap(DeadlineSeconds, (seconds) => within(seconds)(work))
const withinPlan = within(deadlines.plan)

/** Runs one tool with the arguments of a call. */
type ToolCall = (given: unknown) => Effect.Effect<ToolAnswer>

interface Definition<A, I, B, J> {
  readonly parametersSchema: Schema.Schema<A, I>
  readonly successSchema: Schema.Schema<B, J>
}

/** How a tool acts, and the service's own sentence about the result. */
interface Acting<A, B> {
  readonly act: (given: A) => Effect.Effect<B, AnyFailure>
  readonly sentence: (result: B) => string
}

/** The arguments of a call. A wrong network has the code that it has in a path. */
const decoded = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = lazily(() => decoding(schema))
  return (given: unknown): Effect.Effect<A, InvalidBody | InvalidNetwork> =>
    isFields(given) && given["network"] !== undefined && !isNetwork(given["network"])
      ? new InvalidNetwork()
      : Either.mapLeft(decode()(given), (issues) => new InvalidBody({ issues }))
}

const toolCall = <A, I, B, J>({ parametersSchema, successSchema }: Definition<A, I, B, J>, { act, sentence }: Acting<A, B>): ToolCall => {
  const decode = decoded(parametersSchema)
  return (given) =>
    decode(given).pipe(
      Effect.flatMap(act),
      Effect.flatMap((result) => toolResult(successSchema, result, sentence(result))),
      Effect.catchAll(toolFailure)
    )
}

const accountAt = (text: string): Effect.Effect<AccountAddress, InvalidAddress> =>
  isAccount(text) ? Effect.succeed(text) : new InvalidAddress({ reason: accountAddressProblem(text) })

/** The sentences about an envelope on a network. */
const explained = ({ enabled }: Context.Tag.Service<Networks>, network: Network, envelope: string) =>
  Effect.suspend((): Effect.Effect<ReadonlyArray<string>, InvalidTransaction | NetworkUnavailable> => {
    const served = enabled.get(network)
    if (served === undefined) return new NetworkUnavailable({ network })
    return Effect.try({
      try: () => explain(envelope, served.passphrase),
      catch: () => new InvalidTransaction({ reason: "The transaction cannot be decoded to its end." })
    })
  })

type PlanRequest = Parameters<ReturnType<typeof planClose>>[0]

/** The newest ledger, where what a request gives up depends on it; else 0. */
const newestFor = ({ enabled }: Context.Tag.Service<Networks>, network: Network, request: PlanRequest) =>
  leavesLater(request) ? enabled.get(network)?.newestLedger ?? new NetworkUnavailable({ network }) : Effect.succeed(0)

/** The plan of a request, where its owner has agreed to everything that the decisions give up or send away. */
const agreedPlan = (plan: ReturnType<typeof planClose>, request: PlanRequest, confirm: ReadonlyArray<Confirmed>) =>
  Effect.tap(plan(request), (made) => {
    const missing = unconfirmed(made, request, confirm)
    return missing.length === 0 ? Effect.void : new ConfirmationRequired({ confirm: missing })
  })

/** Every tool by its name, over the networks that are served. */
export const toolCalls = (networks: Context.Tag.Service<Networks>): ReadonlyMap<string, ToolCall> => {
  const read_account = toolCall(tools.read_account, {
    act: ({ address, network, tokens }) =>
      withinRead(Effect.flatMap(accountAt(address), (account) => readAccount(networks, network)(account, tokens))),
    sentence: () => "The account was read."
  })
  const preflightCall = toolCall(tools.preflight, {
    act: ({ address, network }) => withinPlan(Effect.flatMap(accountAt(address), preflight(networks, network))),
    sentence: ({ blockers, status }) => `The status is ${status}. Kinds of blockers: ${blockers.length}.`
  })
  const plan_close = toolCall(tools.plan_close, {
    act: ({ confirm = [], network, ...request }) =>
      withinPlan(
        Effect.map(agreedPlan(planClose(networks, network), request, confirm), (plan) => ({ ...plan, confirmations: offeredLosses(plan) }))
      ),
    sentence: ({ blockers, decisionPoints, status }) =>
      `The status of the plan is ${status}. Required decisions that are open: ${
        decisionPoints.filter(({ answered, required }) => required && !answered).length
      }. Blockers: ${blockers.length}.`
  })
  const next_transaction = toolCall(tools.next_transaction, {
    act: ({ confirm = [], network, ...request }) => {
      const next = nextTransaction(networks, network)
      // Built for the facts with which the owner's agreement was compared, or not at all.
      const agreed = Effect.flatMap(
        withinPlan(agreedPlan(planClose(networks, network), request, confirm)),
        ({ planHash, status }) => withinPlan(next(status === "complete" ? request : { ...request, planHash }))
      )
      return Effect.flatMap(
        withinRead(newestFor(networks, network, request)),
        (newest) => (losingDecisions(request, newest).length === 0 ? withinPlan(next(request)) : agreed)
      )
    },
    sentence: ({ status, transactions: [transaction] }) =>
      transaction === undefined
        ? `The status is ${status}. Nothing is left to build.`
        : `One transaction was built, unsigned. Do in this order: ${transaction.next.join(", ")}. Who must sign: ${
          transaction.signing.map(({ account, requiredWeight }) => `${account} with weight ${requiredWeight}`).join(", ")
        }. The hash to sign is ${transaction.hash}.`
  })
  const explain_transaction = toolCall(tools.explain_transaction, {
    act: ({ network, xdr }) => Effect.map(explained(networks, network, xdr), (sentences) => ({ sentences })),
    sentence: ({ sentences }) =>
      sentences.some((one) => /^(\d+\. )?DANGER: /.test(one))
        ? "DANGER: the transaction does something that a close never does. Do not sign it."
        : "The sentences are decoded from the envelope."
  })
  const submit = toolCall(tools.submit, {
    act: ({ network, signedXdr }) => within(deadlines.submit)(submitSigned(networks, network)(signedXdr)),
    sentence: ({ ledger }) => `The transaction is in ledger ${ledger}.`
  })
  return new Map(Object.entries({ read_account, preflight: preflightCall, plan_close, next_transaction, explain_transaction, submit }))
}
