import { Effect, type Schema } from "effect"
import type { TransactionsRequest, TransactionsResult } from "../../../src/domain/CloseTransaction.ts"
import type { Decision } from "../../../src/domain/Decision.ts"
import type { Plan } from "../../../src/domain/Plan.ts"
import type { PreflightReport } from "../../../src/domain/PreflightReport.ts"
import type { SubmitResult, TransactionStatus } from "../../../src/domain/SubmitResult.ts"
import { type ErrorBody, ownDetails } from "../../support/TestService.ts"
import { ownsUp } from "./OwningUp.ts"
import { Service } from "./Service.ts"

export type PlanBody = Schema.Schema.Encoded<typeof Plan>
export type NextBody = Schema.Schema.Encoded<typeof TransactionsResult>
export type Offered = NextBody["transactions"][number]
export type Answer = Schema.Schema.Encoded<typeof Decision>
export type Asked = Partial<Schema.Schema.Encoded<typeof TransactionsRequest>>

const paths = {
  plan: "/v1/testnet/close/plan",
  next: "/v1/testnet/close/transactions",
  submit: "/v1/testnet/submit",
  coSign: "/testnet/mediator/sign"
}

/** An error answer. */
export interface Refused {
  readonly status: number
  readonly code: string
  /** The details of the error itself. */
  readonly details: Readonly<Record<string, unknown>>
  readonly retry: unknown
  readonly retryAfter: string | null
}

const granted = <Body>(method: string, path: string, body?: unknown) =>
  Effect.flatMap(Service, ({ call }) => call<Body>(method, path, body)).pipe(
    Effect.flatMap(({ body: answer, status }) =>
      status === 200 ? Effect.succeed(answer) : Effect.dieMessage(`${path} answered ${status} ${JSON.stringify(answer)}`)
    )
  )

const refused = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(Service, ({ call }) => call<ErrorBody>(method, path, body)).pipe(
    Effect.flatMap(({ body: answer, headers, status }) =>
      status < 400
        ? Effect.dieMessage(`${path} answered ${status} where a refusal was expected: ${JSON.stringify(answer)}`)
        : Effect.succeed<Refused>({
          status,
          code: answer.error.code,
          details: ownDetails(answer),
          retry: answer.error.details["retry"],
          retryAfter: headers.get("retry-after")
        })
    )
  )

/** The plan; any status but 200 fails the test, and so does an option that gives something away without saying so. */
export const plan = (request: Asked) =>
  Effect.tap(granted<PlanBody>("POST", paths.plan, request), (body) => Effect.sync(() => ownsUp(body)))

/** The next transaction; any status but 200 fails the test. */
export const next = (request: Asked) => granted<NextBody>("POST", paths.next, request)

/** The one transaction of the next answer. */
export const offered = (request: Asked): Effect.Effect<Offered, never, Service> =>
  Effect.flatMap(
    next(request),
    ({ transactions: [first, ...more] }) =>
      first === undefined || more.length > 0 ? Effect.dieMessage("not exactly one transaction was offered") : Effect.succeed(first)
  )

/** What a preflight says of an account. */
export const preflight = (address: string) => granted<typeof PreflightReport.Encoded>("GET", `/testnet/preflight/${address}`)

export const submit = (signedXdr: string) => granted<Schema.Schema.Encoded<typeof SubmitResult>>("POST", paths.submit, { signedXdr })

/** The same envelope with the mediator's signature. */
export const coSign = (transaction: string) =>
  Effect.map(granted<{ readonly transaction: string }>("POST", paths.coSign, { transaction }), (answer) => answer.transaction)

export const lookup = (hash: string) => granted<Schema.Schema.Encoded<typeof TransactionStatus>>("GET", `/v1/testnet/transactions/${hash}`)

/** The error of that route for a body. */
export const refusal = (route: keyof typeof paths, body: unknown) => refused("POST", paths[route], body)

/** The error of a GET. */
export const refusedGet = (path: string) => refused("GET", path)
