import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { AccountAddress } from "../domain/Address.ts"
import { TransactionsResult } from "../domain/CloseTransaction.ts"
import { Plan } from "../domain/Plan.ts"
import { SubmitResult } from "../domain/SubmitResult.ts"
import { Checked } from "./Checked.ts"
import { buildFailures, closeInputFailures, PlanBody, planFailures, TransactionsBody } from "./Close.ts"
import { failures } from "./ErrorTable.ts"
import { mediatorFailures, MediatorResult } from "./Mediator.ts"
import { MediatorBody } from "./MediatorBody.ts"
import { bodyFailures } from "./RouteFailures.ts"
import { CarriesSecret, closeBodyBytes, deadlines, DeadlineSeconds, MaxBodyBytes, SameOrigin } from "./RouteLimits.ts"
import { CloseSessionAuth } from "./Security.ts"
import { ChallengeBody, ChallengeResult, SessionBody, SessionResult } from "./SessionBodies.ts"
import { strict } from "./Strict.ts"
import { SubmitBody, submitFailures } from "./Submit.ts"

const page = HttpApiEndpoint.get("page", "/close")
  .addSuccess(HttpApiSchema.Text({ contentType: "text/html" }))
  .addError(failures("RouteNotFound"))
  .annotate(OpenApi.Identifier, "getClosePage")
  .annotate(OpenApi.Summary, "The page that closes an account")
  .annotate(
    OpenApi.Description,
    "Public. A page on which a person closes an account of theirs with their own wallet. It loads nothing from another host. `CLOSE_PAGE=off` removes it, and the routes below it."
  )

const challenge = HttpApiEndpoint.post("challenge", "/close/challenge")
  .setPayload(ChallengeBody)
  .addSuccess(ChallengeResult)
  .addError(failures("InvalidAddress", "RouteNotFound", "NetworkUnavailable", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(OpenApi.Identifier, "createCloseChallenge")
  .annotate(OpenApi.Summary, "Ask for a challenge of the page")
  .annotate(OpenApi.Description, "A challenge transaction (SEP-10) to be signed with a key of the account that is to be closed.")

const session = HttpApiEndpoint.post("session", "/close/session")
  .setPayload(SessionBody)
  .addSuccess(SessionResult)
  .addError(
    failures(
      "InvalidTransaction",
      "ChallengeRefused",
      "RouteNotFound",
      "BadSignatures",
      "NetworkUnavailable",
      "UpstreamRateLimited",
      "UpstreamUnusable",
      "SourcesDisagree",
      "KeyStoreUnavailable"
    )
  )
  .addError(bodyFailures)
  .annotate(CarriesSecret, true)
  .annotate(OpenApi.Identifier, "openCloseSession")
  .annotate(OpenApi.Summary, "Open a session of the page")
  .annotate(
    OpenApi.Description,
    "Gives a token for 30 minutes and for this account alone. One signer of any positive weight suffices. The token holds after the account is merged. Routes below `/keys` reject it."
  )

/** Who wants an account on the sandbox. */
export const TestAccountBody = strict(
  Schema.Struct({
    address: Schema.String.annotations({ description: "The account to make (G...). Its key was made where the request comes from." })
  }).annotations({ identifier: "TestAccountRequest", description: "An account to make on the sandbox." })
)

const testAccount = HttpApiEndpoint.post("testAccount", "/close/test-account")
  .setPayload(TestAccountBody)
  .addSuccess(
    Schema.Struct({ destination: AccountAddress.annotations({ description: "Another new account, to close it into." }) })
      .annotations({ identifier: "TestAccount", description: "An account that was made on the sandbox." })
  )
  .addError(failures("InvalidAddress", "RouteNotFound"))
  .addError(bodyFailures)
  .annotate(OpenApi.Identifier, "createTestAccount")
  .annotate(OpenApi.Summary, "Make an account on the sandbox")
  .annotate(
    OpenApi.Description,
    "Where the embedded sandbox is served: gives a new account lumens, and something to claim. Its key stays with the caller and is worth nothing."
  )

/** The page `/close`, and how it gets a session. */
export class ClosePage extends HttpApiGroup.make("closePage")
  .add(page)
  .add(challenge)
  .add(session)
  .add(testAccount)
  .annotateEndpoints(SameOrigin, true)
  .middleware(Checked)
  .annotate(OpenApi.Title, "Close page")
  .annotate(OpenApi.Description, "A page on which a person closes an account, and how it gets a session.")
{}

/** What a request about another account gets, and one of a network that does not answer. */
const ownFailures = failures("SessionScope", "NetworkUnavailable", "UpstreamRateLimited", "UpstreamUnusable")

const plan = HttpApiEndpoint.post("plan", "/close/plan")
  .setPayload(PlanBody)
  .addSuccess(Plan)
  .addError(closeInputFailures)
  .addError(planFailures)
  .addError(ownFailures)
  .addError(bodyFailures)
  .annotate(MaxBodyBytes, closeBodyBytes)
  .annotate(DeadlineSeconds, deadlines.plan)
  .annotate(OpenApi.Identifier, "planOwnClose")
  .annotate(OpenApi.Summary, "Plan the close of the session's account")
  .annotate(OpenApi.Description, "As `POST /v1/{network}/close/plan`. `source` must be the account of the session.")

const transactions = HttpApiEndpoint.post("transactions", "/close/transactions")
  .setPayload(TransactionsBody)
  .addSuccess(TransactionsResult)
  .addError(closeInputFailures)
  .addError(buildFailures)
  .addError(ownFailures)
  .addError(bodyFailures)
  .annotate(MaxBodyBytes, closeBodyBytes)
  .annotate(DeadlineSeconds, deadlines.plan)
  .annotate(OpenApi.Identifier, "buildOwnTransaction")
  .annotate(OpenApi.Summary, "Build the next transaction of the session's account")
  .annotate(OpenApi.Description, "As `POST /v1/{network}/close/transactions`. `source` must be the account of the session.")

const submit = HttpApiEndpoint.post("submit", "/close/submit")
  .setPayload(SubmitBody)
  .addSuccess(SubmitResult)
  .addError(submitFailures)
  .addError(ownFailures)
  .addError(bodyFailures)
  .annotate(DeadlineSeconds, deadlines.submit)
  .annotate(OpenApi.Identifier, "submitOwnTransaction")
  .annotate(OpenApi.Summary, "Submit a transaction of the session's account")
  .annotate(
    OpenApi.Description,
    "As `POST /v1/{network}/submit`. The source of the transaction, of a fee bump the inner one, must be the account of the session."
  )

const mediatorSign = HttpApiEndpoint.post("mediatorSign", "/close/mediator-sign")
  .setPayload(MediatorBody)
  .addSuccess(MediatorResult)
  .addError(mediatorFailures)
  .addError(ownFailures)
  .addError(bodyFailures)
  .annotate(OpenApi.Identifier, "signOwnAsMediator")
  .annotate(OpenApi.Summary, "Co-sign the forwarding payment of the session's account")
  .annotate(OpenApi.Description, "As `POST /{network}/mediator/sign`. The source of the transaction must be the account of the session.")

/** The close of the account whose session it is. */
export class OwnClose extends HttpApiGroup.make("ownClose")
  .add(plan)
  .add(transactions)
  .add(submit)
  .add(mediatorSign)
  .middleware(Checked)
  .middleware(CloseSessionAuth)
  .annotate(OpenApi.Title, "Close of one account")
  .annotate(OpenApi.Description, "The close loop for the one account whose session it is.")
{}
