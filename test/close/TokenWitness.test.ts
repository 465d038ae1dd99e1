import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Effect, Either } from "effect"
import { judgedAgain, tokensOnOne } from "../../src/close/answer/TokenWitness.ts"
import { Answers } from "../../src/close/situation/Answers.ts"
import { DecisionId } from "../../src/close/situation/DecisionId.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { Decision } from "../../src/domain/Decision.ts"
import { UpstreamUnusable } from "../../src/domain/failure/Upstream.ts"
import type { LedgerGap } from "../../src/domain/LedgerGap.ts"
import type { EventsReport } from "../../src/tokens/OwnerEvents.ts"
import { contractOfByte } from "../support/Addresses.ts"

const [held, given, hidden] = [contractOfByte(1), contractOfByte(2), contractOfByte(3)]

const told = { tokens: [held, given] }
const again = { tokens: [held, given], unscanned: null, failure: null, alone: [] }
const unscanned = { fromLedger: 10, toLedger: 20 }
const span = { from: 1, to: 2 }

const judged = (found: Partial<Parameters<typeof judgedAgain>[0]> = {}, isUnconfirmed = false, givenUp: LedgerGap | null = null) =>
  Effect.runSync(Effect.either(judgedAgain({ ...again, ...found }, told, { isUnconfirmed, givenUp })))

describe("a merge whose tokens rested on one source, after a repeated scan", () => {
  it("continues where that found the same tokens, or fewer", () => {
    for (const tokens of [[held, given], [given], []]) assert.deepStrictEqual(judged({ tokens }), Either.right([]))
  })

  it("is read anew where that found any other token, among known ones or alone", () => {
    for (const tokens of [[hidden], [held, hidden], [held, given, hidden]]) {
      assert.strictEqual(Either.getOrThrow(Either.flip(judged({ tokens })))._tag, "ReadAnew")
    }
  })

  it("says that it rests on one source where ledgers or balances still do", () => {
    for (const [found, isUnconfirmed] of [[{ alone: [span] }, false], [{}, true], [{ alone: [span] }, true]] as const) {
      const warnings = Either.getOrThrow(judged(found, isUnconfirmed))
      assert.deepStrictEqual(warnings.map(({ code }) => code), ["single_source"])
    }
  })

  it("is read anew where that ended early, unless the owner gives up what it may have missed", () => {
    for (const givenUp of [null, { fromLedger: 11, toLedger: 20 }, { fromLedger: 10, toLedger: 19 }]) {
      assert.strictEqual(Either.getOrThrow(Either.flip(judged({ unscanned }, false, givenUp)))._tag, "ReadAnew")
    }
    for (const givenUp of [unscanned, { fromLedger: 9, toLedger: 21 }]) {
      const warnings = Either.getOrThrow(judged({ unscanned }, false, givenUp))
      assert.deepStrictEqual(warnings.map(({ code }) => code), ["single_source"])
    }
  })

  it("fails as the scan did, whatever it found before", () => {
    const failure = new UpstreamUnusable({ source: "contract_rpc" })
    for (const tokens of [[held, given], [hidden]]) assert.deepStrictEqual(judged({ failure, tokens }), Either.left(failure))
  })
})

describe("a merge whose tokens rest on one source", () => {
  const gap = { fromLedger: 5, toLedger: 30 }
  const forfeit = (params: Decision["params"]): Decision => ({
    id: DecisionId.otherTokens,
    choice: "forfeit",
    ...(params === undefined ? {} : { params })
  })
  const events: EventsReport = {
    ...again,
    approvals: [],
    moves: new Map(),
    scanned: null,
    complete: false,
    unscanned,
    dropped: { tokens: 0, approvals: 0 },
    contradicted: new Set(),
    alone: [span]
  }
  const merged = (
    confirmation: "confirmed" | "alone" | "behind",
    { answers = [], isWitnessed = true, told = events }: {
      readonly answers?: ReadonlyArray<Decision>
      readonly isWitnessed?: boolean
      readonly told?: EventsReport | null
    } = {}
  ) =>
    Effect.runSync(Effect.either(tokensOnOne({ events: { again: () => Effect.succeed(events) }, isWitnessed }, {
      input: { answers: new Answers(answers), source: AccountAddress.make(Keypair.random().publicKey()) },
      snapshot: { tokens: { confirmation, told } }
    })))

  it("is scanned again, and goes on where the owner gives up the ledgers that are not scanned", () => {
    for (const answers of [[], [forfeit(undefined)], [forfeit({ maxCount: 9 })], [forfeit({ gap: { ...gap, toLedger: 19 } })]]) {
      assert.strictEqual(Either.getOrThrow(Either.flip(merged("confirmed", { answers })))._tag, "ReadAnew")
    }
    assert.deepStrictEqual(Either.getOrThrow(merged("confirmed", { answers: [forfeit({ gap })] })).map(({ code }) => code), [
      "single_source"
    ])
  })

  it("is not scanned again where two sources were scanned", () => {
    for (const told of [null, { ...events, alone: [] }]) {
      assert.deepStrictEqual(merged("confirmed", { told }), Either.right([]))
      assert.deepStrictEqual(Either.getOrThrow(merged("alone", { told })).map(({ code }) => code), ["single_source"])
      assert.deepStrictEqual(merged("alone", { told, isWitnessed: false }), Either.right([]))
      assert.strictEqual(Either.getOrThrow(Either.flip(merged("behind", { told })))._tag, "ContractRpcLagging")
    }
  })
})
