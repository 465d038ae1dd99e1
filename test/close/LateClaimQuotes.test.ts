import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { sandboxPassphrase } from "../../src/sandbox/Network.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { laterLedger } from "../sandbox/contracts/ProtocolsServed.ts"
import { layer } from "../support/Layered.ts"
import { tokensService } from "./leaving/tokens/support/DeclaredTokens.ts"
import { Buyer, Pair } from "./support/Accounts.ts"
import { acknowledges, echo, pointOf } from "./support/Answering.ts"
import { plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"

const issuer = Keypair.random()
const usd = new Asset("USD", issuer.publicKey())

layer(tokensService([], {}, [usd.contractId(sandboxPassphrase)]), { excludeTestServices: true })(
  "a claim of an asset without a trustline that came later",
  (it) => {
    it.effect("is asked about by a build too where its quote exceeds the answer's limit", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        yield* on(fund("100", issuer))
        yield* on(Buyer(usd, "1000", "0.5"))
        const { destination, source } = yield* on(Pair())
        yield* laterLedger
        const request = { source: source.publicKey(), destination: destination.publicKey() }
        const later = pointOf(yield* plan(request), "later")
        yield* laterLedger
        yield* on(perform("it is given", {
          as: issuer,
          operations: [Operation.createClaimableBalance({ asset: usd, amount: "5", claimants: [new Claimant(source.publicKey())] })]
        }))
        yield* laterLedger
        const decisions = [acknowledges(request.destination), echo(later, "leave_what_came_later", { maxLumensEach: "1" })]
        const { decisionPoints } = yield* plan({ ...request, decisions })
        const asked = decisionPoints.filter(({ type }) => type === "claim").map(({ id }) => id)
        assert.lengthOf(asked, 1)
        const { code, details } = yield* refusal("next", { ...request, decisions })
        assert.strictEqual(code, "needs_decisions")
        assert.includeMembers([...(details["missing"] as ReadonlyArray<string>)], asked)
      }), 60_000)
  }
)
