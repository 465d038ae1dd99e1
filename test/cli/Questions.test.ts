import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Terminal from "@effect/platform/Terminal"
import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Layer, Mailbox, Option } from "effect"
import { answersOf } from "../../src/cli/Answers.ts"
import { decisionsBy } from "../../src/cli/DecisionOptions.ts"
import { askQuestion } from "../../src/cli/QuestionPrompt.ts"
import { questionText } from "../../src/cli/QuestionText.ts"
import { UnexpectedAnswer } from "../../src/client/ClientFailure.ts"
import type { Question } from "../../src/client/Question.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { native } from "../../src/domain/Asset.ts"
import type { OfferedOption } from "../../src/domain/Decision.ts"

const question = (option: Question["options"][number]): Question => ({
  reason: "unanswered",
  id: "position:lend_1:x",
  subject: "A position",
  about: { kind: "later" } as unknown as Question["about"],
  options: [option],
  floorLumens: null,
  againstLumens: null
})

const shown = (option: Question["options"][number]): string => questionText(question(option), 1).join("\n")

describe("a question of the command line", () => {
  it("shows the amounts that an answer agrees to", () => {
    const bought = shown({
      id: "buy_repay_asset_then_exit",
      effect: "buys_and_exits",
      needs: [],
      params: { spendAsset: "native", maxSpend: "4000.5000000", sequence: "7" }
    })
    assert.include(bought, "spends at most 4000.5 of native")
    const paid = shown({ id: "top_up_then_revoke", effect: "pays_others", needs: [], loses: [], params: { maxLumens: "12.0000000" } })
    assert.include(paid, "pays at most 12 XLM to others")
    const returned = shown({ id: "return_to_issuer", effect: "destroys", needs: [], loses: [], params: { maxAmount: "103.0000000" } })
    assert.include(returned, "covers at most 103 of it")
    const sold = shown({ id: "convert_to_native", effect: "sells", needs: [], params: { minReceive: "40.0000000", amount: "100.0000000" } })
    assert.include(sold, "at least 40 XLM for 100 of it, or nothing is sold")
  })

  it("names its id and those of its choices whole, as --decide takes them", () => {
    const id = `asset:USD-${Keypair.random().publicKey()}`
    const open = question({ id: "return_to_issuer", effect: "destroys", needs: [], loses: [] })
    const text = questionText({ ...open, id }, 1).join("\n")
    assert.include(text, id)
    assert.include(text, "return_to_issuer")
  })

  it("puts no word of the service raw into a prompt, and sends its names back as they came", () =>
    Effect.gen(function*() {
      const text = "\u202e\u009b2Jx"
      const shown: Array<string> = []
      const enter = { input: Option.none(), key: { name: "return", ctrl: false, meta: false, shift: false } }
      const terminal: Terminal.Terminal = {
        columns: Effect.succeed(80),
        rows: Effect.succeed(24),
        isTTY: Effect.succeed(true),
        readInput: Effect.tap(Mailbox.make<Terminal.UserInput>(), (keys) => keys.offer(enter)),
        readLine: Effect.succeed(""),
        display: (line) => Effect.sync(() => shown.push(line))
      }
      const option = {
        id: "convert_to_native",
        effect: "sells",
        needs: ["minReceive", text],
        params: { amount: `100${text}` }
      } as unknown as Question["options"][number]
      const prompts = Layer.merge(NodeContext.layer, Layer.succeed(Terminal.Terminal, terminal))
      const decided = yield* Effect.provide(askQuestion(question(option), 1), prompts)
      assert.deepStrictEqual<unknown>(decided, {
        id: "position:lend_1:x",
        choice: "convert_to_native",
        params: { amount: `100${text}`, minReceive: "", [text]: "" }
      })
      assert.include(shown.join(""), "for 1002Jx of it")
      assert.notMatch(shown.join(""), /[\u202e\u009b]/)
    }).pipe(Effect.runPromise))

  it("is not answered by --decide with an address that the service fills in", () =>
    Effect.gen(function*() {
      const id = "asset:USD-GISSUER"
      const option: OfferedOption = {
        id: "transfer_to_account",
        effect: "moves",
        needs: [],
        params: { maxAmount: "100.0000000", destination: AccountAddress.make(Keypair.random().publicKey()) }
      }
      const point = { id, options: [option] } as unknown as Parameters<Parameters<typeof decisionsBy>[1]>[0]
      const planWith = () => Effect.succeed({ decisionPoints: [point] } as never)
      const refused = yield* Effect.flip(decisionsBy({ whole: [], typed: [{ id, choice: "transfer_to_account" }] }, planWith))
      assert.instanceOf(refused, UnexpectedAnswer)
    }).pipe(Effect.runPromise))

  it("is not answered by --decide with what a plan would spend", () =>
    Effect.gen(function*() {
      const point = (option: OfferedOption) =>
        ({ id: "position:lend_1:x", options: [option] }) as unknown as Parameters<Parameters<typeof decisionsBy>[1]>[0]
      const spending: ReadonlyArray<readonly [OfferedOption, string]> = [
        [
          {
            id: "buy_repay_asset_then_exit",
            effect: "buys_and_exits",
            needs: [],
            params: { spendAsset: native, maxSpend: stroops(4_000_5000000n), sequence: "7" }
          },
          "4000.5 of native"
        ],
        [{ id: "top_up_then_revoke", effect: "pays_others", needs: [], params: { maxLumens: stroops(12_0000000n) } }, "12 XLM"]
      ]
      for (const [option, spent] of spending) {
        const given = { whole: [], typed: [{ id: "position:lend_1:x", choice: option.id }] }
        const refused = yield* Effect.flip(decisionsBy(given, () => Effect.succeed({ decisionPoints: [point(option)] } as never)))
        assert.strictEqual(
          refused.message,
          `position:lend_1:x: ${option.id} spends up to ${spent}. Give this answer by --decisions, with its params.`
        )
      }
    }).pipe(Effect.runPromise))

  it("that comes later is not answered by --decide with what would be spent", () =>
    Effect.gen(function*() {
      const given = { whole: [], typed: [{ id: "position:lend_1:x", choice: "buy_repay_asset_then_exit" }] }
      const decide = yield* answersOf({ given, destination: "G", mayAsk: false })
      const asked = (params: NonNullable<Question["options"][number]["params"]>) =>
        decide(question({ id: "buy_repay_asset_then_exit", effect: "buys_and_exits", needs: [], params }))
      assert.strictEqual(asked({ sequence: "7" }), "buy_repay_asset_then_exit")
      assert.isNull(asked({ spendAsset: "native", maxSpend: "1.0000000", sequence: "7" }))
    }).pipe(Effect.provide(NodeContext.layer), Effect.runPromise))

  it("is told apart from those that the plan does not put", () =>
    Effect.gen(function*() {
      const option: OfferedOption = { id: "return_to_issuer", effect: "destroys", needs: [], params: { maxAmount: "100.0000000" } }
      const point = { id: "asset:USD-GISSUER", options: [option] } as unknown as Parameters<Parameters<typeof decisionsBy>[1]>[0]
      const typed = ["asset:USD-GISUER", "asset:USD-GISSUER"].map((id) => ({ id, choice: "return_to_issuer" }))
      const placed = yield* decisionsBy({ whole: [], typed }, () => Effect.succeed({ decisionPoints: [point] } as never))
      assert.deepStrictEqual(placed, {
        decisions: [{ id: "asset:USD-GISSUER", choice: "return_to_issuer", params: { maxAmount: "100.0000000" } }],
        unused: ["asset:USD-GISUER"]
      })
    }).pipe(Effect.runPromise))
})
