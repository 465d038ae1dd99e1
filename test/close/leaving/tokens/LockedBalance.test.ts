import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, i128 } from "../../../../src/ledger/soroban/Values.ts"
import { tokenBalanceKey } from "../../../../src/sandbox/contracts/Token.ts"
import type { NewToken } from "../../../../src/sandbox/contracts/tokens/NewToken.ts"
import { mintToken, sendToken } from "../../../../src/sandbox/scenarios/Tokens.ts"
import { layer } from "../../../support/Layered.ts"
import { acknowledges, pointOf } from "../../support/Answering.ts"
import { plan, refusal } from "../../support/Client.ts"
import { Service } from "../../support/Service.ts"
import { tokensService } from "./support/DeclaredTokens.ts"
import { gift, holder } from "./support/Holder.ts"

const units = 5n

/** A token of unlisted code that keeps this holder's balance in an entry of the common form, and all others elsewhere. */
const inEntryOf = (who: string): NewToken => ({
  family: "book",
  entries: [{
    key: tokenBalanceKey(addressOf(who)).toXdr("base64"),
    value: i128(units).toXdr("base64"),
    durability: "persistent"
  }]
})

layer(tokensService(), { excludeTestServices: true })("a balance that a token of unlisted code keeps elsewhere than in an entry", (it) => {
  it.effect(
    "is seen, asked about and not merged over after a plan of a stranger whose entry has what the token says",
    () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const stranger = yield* holder
        const { giver, token } = yield* gift(stranger.source, units, inEntryOf(stranger.source.publicKey()))
        const { destination, request, source } = yield* holder
        yield* on(mintToken(token, giver.publicKey(), 777n))
        yield* on(sendToken(token, giver, source.publicKey(), 777n))
        assert.include(pointOf(yield* plan(stranger.request), `token:${token}`).subject, `${units} base units`)
        const asked = { ...request, decisions: [acknowledges(destination.publicKey())] }
        const point = pointOf(yield* plan(asked), `token:${token}`)
        assert.deepInclude(point, { required: true, answered: false })
        assert.include(point.subject, "777 base units")
        const refused = yield* refusal("next", asked)
        assert.deepInclude(refused, { status: 422, code: "needs_decisions", details: { missing: [`token:${token}`] } })
      }),
    60_000
  )
})
