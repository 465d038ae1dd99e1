import { HttpApiBuilder, type HttpServerRequest } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import { Api } from "../../api/Api.ts"
import { TestAccountBody } from "../../api/ClosePage.ts"
import { ChallengeBody, SessionBody } from "../../api/SessionBodies.ts"
import { AccountAddress, accountAddressProblem } from "../../domain/Address.ts"
import { InvalidAddress } from "../../domain/failure/Input.ts"
import { RouteNotFound } from "../../domain/failure/Request.ts"
import { closePageState } from "../close-page/ClosePageState.ts"
import { TestAccounts } from "../close-page/SandboxPages.ts"
import { pageFacts } from "../page/PageFacts.ts"
import { pageHtml } from "../page/PageHtml.ts"
import { selfServiceBound } from "../rate/SelfServiceBound.ts"
import { withBody } from "../request/Body.ts"
import { challengeSteps } from "./ChallengeSteps.ts"

const isAccount = Schema.is(AccountAddress)

/** Accounts on the sandbox, for people who try the page. */
const testAccounts = Effect.gen(function*() {
  const bounded = yield* selfServiceBound
  const pages = yield* TestAccounts
  return (address: string, request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function*() {
      if (pages === null) return yield* new RouteNotFound()
      if (!isAccount(address)) return yield* new InvalidAddress({ reason: accountAddressProblem(address) })
      yield* bounded("accounts", request)
      const made = yield* pages.testAccount(address)
      if (Option.isNone(made)) return yield* new InvalidAddress({ reason: "The account exists already. Send the address of a new key." })
      return { destination: made.value }
    })
})

const steps = Effect.all({ state: closePageState, facts: pageFacts, proving: challengeSteps("openClose"), make: testAccounts })

/** Handlers of the group `closePage`. */
export const layer = HttpApiBuilder.group(
  Api,
  "closePage",
  (handlers) =>
    Effect.map(steps, ({ facts, make, proving: { challenge, session }, state }) => {
      const usable = state === "on" ? Effect.void : new RouteNotFound()
      return handlers
        .handle("page", () => (state === "off" ? new RouteNotFound() : Effect.succeed(pageHtml("close", { ...facts, state }))))
        .handleRaw("challenge", withBody(ChallengeBody, ({ payload }) => Effect.zipRight(usable, challenge(payload))))
        .handleRaw("session", withBody(SessionBody, ({ payload, request }) => Effect.zipRight(usable, session(payload, request))))
        .handleRaw(
          "testAccount",
          withBody(TestAccountBody, ({ payload, request }) => Effect.zipRight(usable, make(payload.address, request)))
        )
    })
)
