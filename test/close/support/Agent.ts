import { assert } from "@effect/vitest"
import { type Keypair, Transaction } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { Service } from "./Service.ts"

/** A value of an answer, as it came. */
// oxlint-disable-next-line typescript/no-explicit-any -- an agent has no types but those of tools/list
export type Json = any

/** The account's owner: chooses options of decision points, and says yes or no to a loss. */
export interface Owner {
  /** The owner's choice in place of a suggestion; null: the suggestion stands. */
  readonly insists?: (point: Json) => Json
  readonly choose: (point: Json) => Json
  readonly agrees: (loss: Json) => boolean
}

/** An MCP client that has only the endpoint, the key and the output of `tools/list`. It keeps every text that a model would read. */
export const agent = Effect.gen(function*() {
  const service = yield* Service
  const texts: Array<string> = []
  let id = 0
  const rpc = (method: string, params: object = {}): Effect.Effect<Json> =>
    Effect.suspend(() => service.call<Json>("POST", "/mcp", { jsonrpc: "2.0", id: ++id, method, params })).pipe(
      Effect.map(({ body, status }) => {
        assert.deepStrictEqual([status, body.id], [200, id], JSON.stringify(body))
        return body.result
      })
    )
  const { instructions } = yield* rpc("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "a", version: "1" }
  })
  const { tools } = yield* rpc("tools/list")
  texts.push(instructions, ...tools.map(({ description }: Json) => description))

  /** Calls a tool with those known values that its schema accepts. */
  const tried = (name: string, known: Json): Effect.Effect<Json> => {
    const { inputSchema } = tools.find((tool: Json) => tool.name === name) ?? assert.fail(`there is no ${name}`)
    const given = Object.fromEntries(Object.entries(known).filter(([field]) => field in inputSchema.properties))
    for (const field of inputSchema.required) assert.property(given, field)
    return Effect.tap(rpc("tools/call", { name, arguments: given }), ({ content, structuredContent }) =>
      Effect.sync(() => {
        texts.push(...content.map(({ text }: Json) => text))
        assert.deepStrictEqual(JSON.parse(content[1].text), structuredContent)
      }))
  }
  const called = (name: string, known: Json): Effect.Effect<Json> =>
    Effect.map(tried(name, known), ({ isError, structuredContent }) => {
      assert.isFalse(isError, JSON.stringify(structuredContent))
      return structuredContent
    })
  return { called, texts, tried }
})

type Agent = Effect.Effect.Success<typeof agent>

/** Adds agreements to the earlier ones; the newest to one decision counts. */
const confirmedNow = (known: Json, losses: ReadonlyArray<Json>): void => {
  const ids = new Set(losses.map(({ id }) => id))
  known.confirm = [...known.confirm.filter(({ id }: Json) => !ids.has(id)), ...losses.map(({ amount, id }) => ({ id, amount }))]
}

/** Plans until no question is open: echoes the suggestions, and lets the owner answer the rest. */
const agreedWith = ({ called, tried }: Agent, { agrees, choose, insists = () => null }: Owner, goal: Json): Effect.Effect<Json> =>
  Effect.gen(function*() {
    const known = { ...goal, decisions: [], confirm: [] }
    for (;;) {
      const tries = yield* tried("plan_close", known)
      if (tries.isError) {
        const { code, details } = tries.structuredContent.error
        assert.strictEqual(code, "confirmation_required")
        confirmedNow(known, details.confirm.filter(agrees))
        continue
      }
      const plan = tries.structuredContent
      if (plan.status === "ready") return known
      assert.strictEqual(plan.status, "needs_decisions", JSON.stringify(plan.blockers))
      const isKnown = ({ id }: Json) => known.decisions.some((one: Json) => one.id === id)
      known.decisions.push(...plan.decisionPoints.filter((point: Json) => !isKnown(point)).flatMap((point: Json) => insists(point) ?? []))
      const suggested = plan.suggestedDecisions.filter((one: Json) => !isKnown(one))
      const ids = new Set([...suggested, ...known.decisions].map(({ id }: Json) => id))
      const open = plan.decisionPoints.filter(({ answered, id, required }: Json) => required && !answered && !ids.has(id))
      known.decisions.push(...suggested, ...open.map(choose))
      yield* Effect.when(called("preflight", goal), () => open.length === 0)
    }
  })

/** Closes an account by the tools alone. Returns the number of transactions and the last known values. */
export const closedByAgent = (
  client: Agent,
  owner: Owner,
  source: Keypair,
  goal: Json
): Effect.Effect<{ readonly count: number; readonly known: Json }> =>
  Effect.gen(function*() {
    const known = yield* agreedWith(client, owner, goal)
    for (let count = 0;; count++) {
      assert.isBelow(count, 60)
      const tries = yield* client.tried("next_transaction", known)
      if (tries.isError) {
        assert.strictEqual(tries.structuredContent.error.code, "confirmation_required", JSON.stringify(tries.structuredContent))
        confirmedNow(known, tries.structuredContent.error.details.confirm.filter(owner.agrees))
        continue
      }
      const { status, transactions: [transaction] } = tries.structuredContent
      if (status === "complete") return { count, known }
      assert.deepStrictEqual(transaction.next, ["sign", "submit"])
      const { sentences } = yield* client.called("explain_transaction", { ...known, xdr: transaction.xdr })
      assert.notInclude(sentences.join(), "DANGER")
      const signed = new Transaction(transaction.xdr, transaction.networkPassphrase)
      signed.sign(source)
      const { hash } = yield* client.called("submit", { ...known, signedXdr: signed.toXdr() })
      assert.strictEqual(hash, transaction.hash)
    }
  })
