import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { addressOf, addressVal, variant } from "../../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../../src/sandbox/contracts/Deployment.ts"
import { keyOfContractData } from "../../../src/xdr/LedgerKeys.ts"
import { layer } from "../../support/Layered.ts"
import { LendingDeployed } from "../../support/scenarios/LendingDeployed.ts"
import { firstOf } from "../../support/Thorough.ts"
import { Pair } from "../support/Accounts.ts"
import { answersTo } from "../support/Answering.ts"
import { type Asked, offered, plan } from "../support/Client.ts"
import { tellingNothing } from "../support/GetterLies.ts"
import { Service } from "../support/Service.ts"
import { type RpcEndpoint, Sources, sourcesService } from "../support/Sources.ts"

/** The key of an account's entry in a lending pool. */
const positionsOf = (owner: string) => variant("Positions", addressVal(addressOf(owner)))

/** An account with a position that another account opened for it. No call of its own names the pool, and no list does. */
const heir = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const { deployed, source: lender } = yield* on(LendingDeployed)
  const { destination, source } = yield* on(Pair())
  const { state } = yield* sandbox.snapshot
  const data = state.get(keyOfContractData(deployed, positionsOf(lender.publicKey()), "persistent"))?.data
  if (data?.type !== "contractData") return yield* Effect.dieMessage("nothing was lent")
  const inherited = [positionsOf(source.publicKey()), data.contractData.val] as const
  yield* sandbox.amend((now) => now.set(dataEntries(deployed, inherited, "persistent", now.header.ledgerSeq + 100_000)))
  yield* sandbox.closeLedger({ advanceSeconds: 5 })
  return { source: source.publicKey(), destination: destination.publicKey() }
})

/** The positions among a plan's decision points, and the kinds that its first transaction covers. */
const closing = (request: Asked) =>
  Effect.gen(function*() {
    const told = yield* plan(request)
    const { covers } = yield* offered({ ...request, decisions: answersTo(told, "exit", "convert_to_native") })
    return { positions: told.decisionPoints.filter(({ type }) => type === "position").length, covers, told }
  })

const silenced = ({ lying }: RpcEndpoint): RpcEndpoint["stuck"] => (work) =>
  lying((method, result) => (method === "getEvents" ? null : result), work)

for (const [place, name] of firstOf(1, [[0, "first"], [1, "second"]] as const)) {
  layer(sourcesService(2, {}, ["lend_1"]), { excludeTestServices: true })(
    `a pool of which the ${name} of two contract RPCs tells no event`,
    (it) => {
      it.effect("is found by what the other one tells, and left", () =>
        Effect.gen(function*() {
          const liar = (yield* Sources)[place]!
          const request = yield* heir
          const { covers, positions } = yield* liar.lying(tellingNothing, closing(request))
          assert.deepStrictEqual([positions, covers], [1, ["ADD_TRUSTLINE"]])
        }))
    }
  )

  layer(sourcesService(2, {}, ["lend_1"]), { excludeTestServices: true })(
    `a pool where the ${name} of two contract RPCs has no events`,
    (it) => {
      it.effect("is found by what the other one tells, and nobody is asked to give anything up", () =>
        Effect.gen(function*() {
          const down = (yield* Sources)[place]!
          const request = yield* heir
          const { covers, told } = yield* silenced(down)(closing(request))
          assert.deepStrictEqual(told.decisionPoints.filter(({ id }) => id.startsWith("positions_unread")), [])
          assert.deepStrictEqual(covers, ["ADD_TRUSTLINE"])
        }))
    }
  )
}
