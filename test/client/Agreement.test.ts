import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Networks } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { agreementOf, type Answer, harmless, isLower } from "../../src/client/Agreement.ts"
import { parseAmount, type Stroops } from "../../src/domain/Amount.ts"
import { expectedOf } from "./support/Expecting.ts"

const issuer = Keypair.random().publicKey()
const id = `asset:USD-${issuer}`
const token = `token:${new Asset("USD", issuer).contractId(Networks.TESTNET)}`

const lumens = (text: string): Stroops => parseAmount(text) ?? assert.fail(`${text} is no amount`)

const sale = (minReceive: string, amount?: string, of = id): Answer => ({
  id: of,
  choice: "convert_to_native",
  params: { minReceive: lumens(minReceive), ...(amount === undefined ? {} : { amount }) }
})

describe("what a plan suggests", () => {
  it("is taken over as far as its effect fits what it is about", () => {
    const taken = (...suggestedDecisions: ReadonlyArray<Answer>) => harmless({ suggestedDecisions }).map((one) => `${one.id} ${one.choice}`)
    assert.deepStrictEqual(
      taken(
        sale("1", "1"),
        { id: "claim:00", choice: "claim" },
        { id: "position:amm_1:C:1", choice: "exit" },
        { id: "pool:00", choice: "withdraw" },
        { id: "allowance:C:G", choice: "keep" },
        { id: "allowance:C:G", choice: "revoke" },
        { id: "sponsorship:account:G", choice: "revoke" }
      ),
      [
        `${id} convert_to_native`,
        "claim:00 claim",
        "position:amm_1:C:1 exit",
        "pool:00 withdraw",
        "allowance:C:G keep",
        "allowance:C:G revoke",
        "sponsorship:account:G revoke"
      ]
    )
    assert.deepStrictEqual(
      taken(
        { id: "claim:00", choice: "keep" },
        { id: "claims:native", choice: "keep" },
        { id: "positions:others", choice: "keep", params: { maxCount: 4_000 } },
        { id: "token:C", choice: "keep" },
        { id: "claim:00", choice: "convert_to_native", params: { minReceive: lumens("1") } },
        { id: "constructor:C", choice: "exit" },
        { id: "asset", choice: "exit" }
      ),
      []
    )
  })
})

describe("a floor", () => {
  it.each<readonly [string, Answer, Answer, boolean]>([
    ["for the same", sale("50", "100"), sale("50", "100"), false],
    ["a stroop lower", sale("49.9999999", "100"), sale("50", "100"), true],
    ["lower for a part at the same price", sale("25", "50"), sale("50", "100"), false],
    ["lower for no named amount", sale("49.9999999"), sale("50", "100"), true],
    ["a stroop for no named amount", sale("0.0000001"), sale("50", "100"), true],
    ["the same for no named amount", sale("50"), sale("50", "100"), false],
    ["lower for nothing", sale("0.0000001", "0"), sale("50", "100"), true],
    ["lower for what is no amount", sale("0.0000001", "much"), sale("50", "100"), true],
    ["the same as one for no named amount", sale("50", "100"), sale("50"), false],
    ["lower than one for no named amount", sale("49", "1"), sale("50"), true],
    ["lower for more of a token than an asset can have", sale("1", "9".repeat(30), "token:C"), sale("2", "9".repeat(30), "token:C"), true]
  ])("%s is compared with what was agreed", (_, now, before, lower) => {
    assert.strictEqual(isLower(now, before), lower)
  })
})

describe("a decision about the contract of a classic asset", () => {
  it.effect("sells nothing of the asset: only the asset's own decision does", () =>
    Effect.gen(function*() {
      const other = "token:CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD2KM"
      const agreement = yield* agreementOf([
        { id, choice: "convert_to_native", params: { minReceive: "5000.0000000", amount: "10.0000000" } },
        { id: other, choice: "convert_to_native", params: { minReceive: "2.0000000" } }
      ])
      agreement.suggested.set(token, sale("0.0000001", undefined, token))
      const { decisions, floors } = yield* expectedOf(agreement, { balances: new Map([[id, lumens("10")]]), held: [] })
      assert.deepStrictEqual(decisions.map((one) => one.id), [id, other])
      assert.deepStrictEqual(floors, { [other]: lumens("2") })
    }))
})
