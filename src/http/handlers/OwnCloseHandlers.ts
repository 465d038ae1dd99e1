import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { PlanBody, TransactionsBody } from "../../api/Close.ts"
import { MediatorBody } from "../../api/MediatorBody.ts"
import { SubmitBody } from "../../api/Submit.ts"
import { Builder } from "../../close/answer/Builder.ts"
import { Planner } from "../../close/answer/Planner.ts"
import { Requester } from "../../close/load/Requester.ts"
import { Mediator } from "../../close/mediator/Mediator.ts"
import { submittedEnvelope } from "../../close/situation/SubmittedEnvelope.ts"
import { Submission } from "../../close/submit/Submission.ts"
import { TransactionsResult } from "../../domain/CloseTransaction.ts"
import { RateLimited, SessionScope } from "../../domain/failure/Request.ts"
import { NetworkUnavailable } from "../../domain/failure/Upstream.ts"
import { Plan } from "../../domain/Plan.ts"
import type { CloseSession } from "../../keys/CloseToken.ts"
import { SelfService } from "../../keys/SelfService.ts"
import { Networks } from "../../Networks.ts"
import { closeSessionIn } from "../CloseSessionBearer.ts"
import { countFailedBuild, countPlan, countSubmission } from "../metrics/CloseMetrics.ts"
import { rateLimitSetting } from "../rate/RateLimit.ts"
import { RateLimitStore } from "../rate/RateLimitStore.ts"
import { withBody } from "../request/Body.ts"
import { reportingDefects } from "../UnexpectedFailures.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const planned = answerInParts(Plan)
const built = answerInParts(TransactionsResult)

/** Which account a request may be about is read from the session, and from nothing else that was sent. */
const scoped = Effect.gen(function*() {
  const selfService = yield* SelfService
  const networks = yield* Networks
  const limits = yield* RateLimitStore
  const general = yield* rateLimitSetting

  /** The client's address was counted with every request; the account is counted here, so that many addresses gain nothing. */
  const counted = ({ network, source }: CloseSession) =>
    Effect.flatMap(
      limits.count({ kind: "address", id: `close ${network} ${source}` }, general),
      ({ allowed, resetSeconds }) => (allowed ? Effect.void : new RateLimited({ retryAfterSeconds: resetSeconds }))
    )

  /** Work on the session's network for the session's account, which waits for its turn as one of many self-service owners. */
  const forSession = <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    work: (session: CloseSession) => Effect.Effect<A, E, R>
  ) =>
    Effect.gen(function*() {
      const session = yield* closeSessionIn(selfService, request)
      yield* counted(session)
      const { deadline, path } = yield* Requester
      return yield* networks.on(session.network)(work(session)).pipe(
        Effect.provideService(Requester, { path: [...path.slice(0, 2), session.source], deadline })
      )
    })

  const checkedSource = (session: CloseSession, source: string) => (source === session.source ? Effect.void : new SessionScope())

  /** The source of the envelope, of a fee bump the inner one. */
  const checkedEnvelope = (session: CloseSession, envelope: string) =>
    Effect.gen(function*() {
      const served = networks.enabled.get(session.network)
      if (served === undefined) return yield* new NetworkUnavailable({ network: session.network })
      const { source } = yield* submittedEnvelope(envelope, served.passphrase)
      if (source !== session.source) return yield* new SessionScope()
    })

  return { forSession, checkedEnvelope, checkedSource }
})

const submitted = (session: CloseSession, signedXdr: string) =>
  Submission.pipe(
    Effect.flatMap((submission) => submission.submit(signedXdr)),
    Effect.tapBoth({
      onFailure: (failure) => countSubmission(session.network, failure),
      onSuccess: () => countSubmission(session.network, null)
    })
  )

/** Handlers of the group `ownClose`. */
export const layer = HttpApiBuilder.group(
  Api,
  "ownClose",
  (handlers) =>
    Effect.map(scoped, ({ checkedEnvelope, checkedSource, forSession }) =>
      handlers
        .handleRaw(
          "plan",
          withBody(PlanBody, ({ payload, request }) =>
            forSession(request, (session) =>
              checkedSource(session, payload.source).pipe(
                Effect.zipRight(Effect.flatMap(Planner, (planner) => planner.plan(payload))),
                Effect.tap(countPlan(session.network)),
                reportingDefects({ network: session.network, operation: "plan", request: payload }),
                Effect.flatMap(planned)
              )))
        )
        .handleRaw(
          "transactions",
          withBody(TransactionsBody, ({ payload, request }) =>
            forSession(request, (session) =>
              checkedSource(session, payload.source).pipe(
                Effect.zipRight(Effect.flatMap(Builder, (builder) => builder.next(payload))),
                Effect.tapErrorTag("DryRunFailed", countFailedBuild(session.network)),
                reportingDefects({ network: session.network, operation: "transactions", request: payload }),
                Effect.flatMap(built)
              )))
        )
        .handleRaw(
          "submit",
          withBody(SubmitBody, ({ payload, request }) =>
            forSession(
              request,
              (session) => Effect.zipRight(checkedEnvelope(session, payload.signedXdr), submitted(session, payload.signedXdr))
            ))
        )
        .handleRaw(
          "mediatorSign",
          withBody(MediatorBody, ({ payload, request }) =>
            forSession(request, (session) =>
              checkedEnvelope(session, payload.transaction).pipe(
                Effect.zipRight(Effect.flatMap(Mediator, ({ sign }) => sign(payload.transaction))),
                Effect.map((transaction) => ({ transaction }))
              )))
        ))
)
