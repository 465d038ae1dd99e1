import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { answersIn, maxDecisions } from "../../src/close/situation/Decisions.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import { anyContract } from "../support/Addresses.ts"

const account = Keypair.random().publicKey()
const issuer = Keypair.random().publicKey()
const contract = anyContract()
const hex = "ab".repeat(32)

const refused = (answers: ReadonlyArray<unknown>) => Effect.map(Effect.flip(answersIn(answers)), ({ issues }) => issues)

describe("answers", () => {
  it.effect("of every kind a plan can ask are taken, by id", () =>
    Effect.gen(function*() {
      const given = [
        { id: `destination:${account}`, choice: "i_control_this_address" },
        { id: `asset:USD-${issuer}`, choice: "convert_to_native", params: { minReceive: "1.5" } },
        { id: `asset:EUR-${issuer}`, choice: "return_to_issuer", params: { maxAmount: "3" } },
        { id: `asset:GBP-${issuer}`, choice: "transfer_to_account", params: { maxAmount: "3", destination: account } },
        { id: `pool:${hex}`, choice: "withdraw" },
        { id: `claim:00000000${hex}`, choice: "claim" },
        { id: `token:${contract}`, choice: "acknowledge_residue", params: { maxAmount: "12" } },
        { id: `position:lend_1:${contract}:0`, choice: "exit" },
        {
          id: "positions_unread:amm_1",
          choice: "i_accept_unread_positions",
          params: { contracts: [contract], gap: { fromLedger: 3, toLedger: 9 } }
        },
        { id: `allowance:${contract}:${account}`, choice: "revoke" },
        { id: `issuer:${account}`, choice: "i_accept_abandoning_issued_assets" },
        { id: `sponsorship:account:${account}`, choice: "revoke" }
      ]
      const answers = yield* answersIn(given)
      assert.deepStrictEqual(answers.ids, given.map(({ id }) => id))
      assert.strictEqual(answers.asset(AssetId.make(`USD:${issuer}`))?.params?.minReceive, 15_000_000n)
    }))

  it.effect("are not looked at beyond those that a refusal names", () =>
    Effect.gen(function*() {
      let looked = 0
      const wrong = Array.from({ length: maxDecisions }, () => ({
        get id() {
          looked++
          return "nonsense:1"
        },
        choice: "keep"
      }))
      assert.lengthOf(yield* refused(wrong), 20)
      assert.isAtMost(looked, 100)
    }))

  it.effect("that no plan could have offered are each named with their place", () =>
    Effect.gen(function*() {
      const valid = { id: `destination:${account}`, choice: "i_control_this_address" }
      const wrong: ReadonlyArray<unknown> = [
        null,
        7,
        "destination",
        {},
        { id: valid.id },
        { id: "destination", choice: "i_control_this_address" },
        { id: "destination:GNOBODY", choice: "i_control_this_address" },
        { id: valid.id, choice: "yes" },
        { id: valid.id, choice: "toString" },
        { id: "nonsense:1", choice: "keep" },
        { id: "positions_unread:amm_1", choice: "i_accept_unread_positions" },
        { id: "positions_unread:amm_1", choice: "i_accept_unread_positions", params: { contracts: [] } },
        { id: "positions_unread:amm_1", choice: "i_accept_unread_positions", params: { contracts: ["somewhere"], gap: null } },
        { id: `asset:USD-${issuer}`, choice: "return_to_issuer" },
        { id: `asset:USD-${issuer}`, choice: "return_to_issuer", params: { maxAmount: "-1" } },
        { id: `asset:USD-${issuer}`, choice: "return_to_issuer", params: { maxAmount: "1e7" } },
        { id: `asset:USD-${issuer}`, choice: "transfer_to_account", params: { maxAmount: "1" } },
        { id: `asset:USD-${issuer}`, choice: "convert_to_native", params: { minReceive: "many" } },
        { id: `asset:USD-${issuer}`, choice: "convert_to_native", params: { minReceive: "1" }, note: "extra" },
        { id: `asset:USD-${issuer}`, choice: "convert_to_native", params: { maxSlippageBps: 0 } }
      ]
      for (const answer of wrong) {
        const issues = yield* refused([valid, answer])
        assert.isTrue(issues.every(({ path }) => path.startsWith("decisions[1]")), JSON.stringify({ answer, issues }))
        assert.isNotEmpty(issues)
      }
    }))

  it.effect("given twice for one decision, or more than a call may carry, are refused", () =>
    Effect.gen(function*() {
      const answer = { id: `destination:${account}`, choice: "i_control_this_address" }
      const [twice] = yield* refused([answer, answer])
      assert.strictEqual(twice?.path, "decisions[1]")
      const [many] = yield* refused(Array.from({ length: maxDecisions + 1 }, () => answer))
      assert.strictEqual(many?.path, "decisions")
    }))
})
