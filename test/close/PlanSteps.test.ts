import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { alikeSteps, planSteps } from "../../src/close/answer/PlanSteps.ts"
import { atomicGroup, type PlannedStep } from "../../src/close/situation/AtomicGroup.ts"
import { AccountAddress } from "../../src/domain/Address.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import type { StepType } from "../../src/domain/Plan.ts"

const source = AccountAddress.make(Keypair.random().publicKey())
const assetAt = (at: number) => AssetId.make(`A${at}:${source}`)
const operation = { type: "account_merge" as const, source, destination: source }

const task = (type: StepType, more: Partial<PlannedStep> = {}): PlannedStep => ({
  type,
  title: `${type} of one`,
  description: "",
  operations: [operation],
  ...more
})

const stepsOf = (tasks: ReadonlyArray<PlannedStep>) =>
  planSteps(
    alikeSteps(
      [{ bid: { perOperation: 100n }, groups: tasks.map((one) => atomicGroup([one])) }] as unknown as Parameters<
        typeof alikeSteps
      >[0]
    ),
    { names: () => ({ symbol: null, decimals: null }), worth: () => null }
  )

const many = <A>(count: number, make: (at: number) => A): ReadonlyArray<A> => Array.from({ length: count }, (_, at) => make(at))

const claims = (
  count: number
) => [
  ...many(count, (at) => task("CLAIM_BALANCES", { asset: assetAt(0), entry: `balance ${at}` })),
  task("HANDLE_ASSETS", { asset: assetAt(0) }),
  task("MERGE")
]

describe("the steps of a plan", () => {
  it("of very many alike are one, and their number does not show in the size of the answer", () => {
    const [claim, disposal, merge, ...more] = stepsOf(claims(8000))
    assert.lengthOf(more, 0)
    assert.deepInclude(claim, {
      entryCount: 8000,
      operationCount: 8000,
      estimatedFeeLumens: stroops(800_000n),
      affectedEntries: many(5, (at) => `balance ${at}`),
      dependsOn: []
    })
    assert.notProperty(claim, "affectedEntry")
    assert.deepStrictEqual([disposal?.dependsOn, merge?.dependsOn], [[0], [1]])
  })

  it("of fifty alike are told one by one", () => {
    const steps = stepsOf(claims(50))
    assert.lengthOf(steps, 52)
    assert.deepInclude(steps[0], { affectedEntry: "balance 0" })
    assert.deepStrictEqual([steps[49]?.dependsOn, steps[50]?.dependsOn], [[], many(50, (at) => at)])
  })

  it("name their direct predecessors only, so that these grow with the steps and not with their square", () => {
    const closing = (count: number) => [
      ...many(20, (at) => task("CANCEL_OFFERS", { entry: String(at) })),
      ...many(
        count,
        (
          at
        ) => [
          task("ADD_TRUSTLINE", { asset: assetAt(at) }),
          task("CLAIM_BALANCES", { asset: assetAt(at) }),
          task("HANDLE_ASSETS", { asset: assetAt(at) }),
          task("REMOVE_TRUSTLINES", { asset: assetAt(at) })
        ]
      ).flat(),
      task("MERGE")
    ]
    const steps = stepsOf(closing(2))
    const cancels = many(20, (at) => at)
    assert.deepStrictEqual(steps.slice(20).map(({ dependsOn }) => dependsOn), [
      [],
      [20],
      [...cancels, 21],
      [22],
      [],
      [24],
      [...cancels, 25],
      [26],
      [23, 27]
    ])
    const total = (count: number) => stepsOf(closing(count)).reduce((sum, { dependsOn }) => sum + dependsOn.length, 0)
    assert.isAtMost(total(800), 8 * total(100))
  })
})
