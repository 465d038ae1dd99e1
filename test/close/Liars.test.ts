import { assert } from "@effect/vitest"
import { Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { sha256 } from "../../src/ledger/Signatures.ts"
import { dataKeyOf, instanceKeyOf } from "../../src/ledger/soroban/Keys.ts"
import {
  addressOf,
  addressVal,
  bool,
  contractAddress,
  i128,
  mapOf,
  strkeyOf,
  symbol,
  u32,
  variant,
  vec
} from "../../src/ledger/soroban/Values.ts"
import { dataEntries } from "../../src/sandbox/contracts/Deployment.ts"
import { REWARD_ZONE } from "../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { deployedKey } from "../../src/sandbox/contracts/lend1/PoolFactory.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { LENDING_CONTRACTS } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { deployPool } from "../../src/sandbox/scenarios/LendingDeployed.ts"
import { withFactory } from "../../src/sandbox/scenarios/LendingEntries.ts"
import { STROOPS, submitRequestsTo } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { LendingSupply } from "../../src/sandbox/scenarios/LendingSupply.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { withCode } from "./exits/support/ByReference.ts"
import { answersTo, echo, positionIn } from "./support/Answering.ts"
import { type Asked, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"
import { type RpcEndpoint, Sources, sourcesService } from "./support/Sources.ts"

const { backstop, pool, poolFactory } = LENDING_CONTRACTS
const alone = { excludeTestServices: true }
const forLong = 1_000_000

const positionsKey = (owner: string): xdr.ScVal => variant("Positions", addressVal(addressOf(owner)))

type Amounts = ReadonlyArray<readonly [index: number, units: bigint]>

const amounts = (all: Amounts): xdr.ScVal =>
  xdr.ScVal.scvMap(all.map(([index, units]) => new xdr.ScMapEntry({ key: u32(index), val: i128(units) })))

/** What an account has in a pool, on a ledger of somebody's making. */
const withPositions = (
  state: LedgerState,
  of: xdr.ScAddress,
  owner: string,
  { collateral = [], liabilities = [], supply = [] }: Readonly<Record<string, Amounts>>
): LedgerState =>
  state.set(dataEntries(
    of,
    [
      positionsKey(owner),
      mapOf([
        [symbol("collateral"), amounts(collateral)],
        [symbol("liabilities"), amounts(liabilities)],
        [symbol("supply"), amounts(supply)]
      ])
    ],
    "persistent",
    state.header.ledgerSeq + forLong
  ))

/** A contract of a stranger's that holds everybody's money and runs code of its own, and an account that has 60 EURC and never heard of it. */
const Stranger = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { eurc, issuer, native, source } = scene
  const { amend, passphrase, snapshot } = yield* Network
  const factory = contractAddress(new xdr.ContractId(sha256(Buffer.from(`a factory of nobody's for ${source.publicKey()}`))))
  yield* amend((state) => withFactory(state, factory, scene.blnd, passphrase))
  const contract = yield* deployPool(factory, scene.lender, scene.assets)
  yield* perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] })
  yield* submitRequestsTo(contract, "the lender lends", scene.lender, ["supply", eurc, 1_000n * STROOPS], ["supply", native, 10n * STROOPS])
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: eurc, amount: "60" })]
  })
  const looked = (yield* snapshot).state.get(instanceKeyOf(contract))
  yield* amend((state) => withCode(state, contract, sha256(Buffer.from("code of a thief"))))
  return { ...scene, contract, looked: looked ?? assert.fail("no contract") }
})

const later = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: 5 }))

interface Pair {
  readonly source: { readonly publicKey: () => string }
  readonly destination: { readonly publicKey: () => string }
}

const requestOf = ({ destination, source }: Pair): Asked => ({ source: source.publicKey(), destination: destination.publicKey() })

/** What a client is asked and gets who answers with whatever lets the close go on, and builds. */
const refusedBy = (liar: RpcEndpoint, imagined: (state: LedgerState) => LedgerState, request: Asked) =>
  liar.imagining(
    imagined,
    Effect.gen(function*() {
      const asked = yield* plan(request)
      const decisions = answersTo(asked, "exit", "i_accept_unread_positions", "convert_to_native")
      return { asked: asked.decisionPoints.map(({ id }) => id), refused: yield* refusal("next", { ...request, decisions }) }
    })
  )

layer(sourcesService(2, {}, true), alone)("of two contract RPCs the first, which shows a ledger of its own making", (it) => {
  it.effect("with a stranger's contract as a factory's pool that runs known code, and a debt there as large as the balance: refused, and nothing else", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [liar, second] = yield* Sources
      const { contract, looked, ...held } = yield* on(Stranger)
      yield* later
      const owner = held.source.publicKey()
      const imagined = (state: LedgerState): LedgerState =>
        withPositions(
          state.set([
            looked,
            ...dataEntries(poolFactory, [deployedKey(contract), bool(true)], "persistent", state.header.ledgerSeq + forLong),
            ...dataEntries(
              backstop,
              [REWARD_ZONE, vec(addressVal(pool), addressVal(contract))],
              "persistent",
              state.header.ledgerSeq + forLong
            )
          ]),
          contract,
          owner,
          { liabilities: [[2, 599_0000000n / 10n]], collateral: [[0, 9_0000000n]] }
        )
      const request = requestOf(held)
      second!.asked.length = 0
      const told = yield* liar!.imagining(
        imagined,
        Effect.gen(function*() {
          const asked = yield* plan(request)
          const point = positionIn(asked)
          const others = answersTo(asked, "convert_to_native").filter(({ id }) => id !== point.id)
          return {
            point,
            unanswered: yield* refusal("next", { ...request, decisions: others }),
            answered: yield* refusal("next", { ...request, decisions: [...others, echo(point, "exit")] })
          }
        })
      )
      assert.include(told.point.id, strkeyOf(contract))
      assert.deepInclude(told.point, { default: null, required: true })
      assert.deepStrictEqual(told.point.options.map(({ recommended }) => recommended === true), told.point.options.map(() => false))
      const note = told.point.options.find(({ id }) => id === "exit")?.note ?? ""
      assert.match(note, /hands over to it \d+\.\d+ EURC/)
      assert.deepInclude(told.unanswered, { status: 422, code: "needs_decisions" })
      assert.deepInclude(told.answered, { status: 503, code: "sources_disagree" })
      assert.include(second!.asked, "getLedgerEntries")
    }))
})

layer(sourcesService(2, {}, true), alone)("of two contract RPCs the first, which shows what an account holds", (it) => {
  const lent: Amounts = [[1, 200n * STROOPS]]
  for (
    const [what, part, asks] of [
      ["as nothing", {}, []],
      ["as an amount of nothing", { supply: [[1, 0n]] }, []],
      ["as less than nothing", { supply: [[1, -1n]] }, ["positions_unread:lend_1"]],
      ["as nothing and as something", { supply: [[1, 0n], ...lent] }, ["positions_unread:lend_1"]]
    ] satisfies ReadonlyArray<readonly [string, Readonly<Record<string, Amounts>>, Array<string>]>
  ) {
    it.effect(`${what}: refused, and nothing else`, () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const [liar] = yield* Sources
        const held = yield* on(LendingSupply)
        yield* later
        const owner = held.source.publicKey()
        assert.isDefined(
          (yield* on(Effect.flatMap(Network, ({ snapshot }) => snapshot))).state.get(dataKeyOf(pool, positionsKey(owner), "persistent"))
        )
        const { asked, refused } = yield* refusedBy(liar!, (state) => withPositions(state, pool, owner, part), requestOf(held))
        assert.deepStrictEqual(asked.filter((id) => id.startsWith("position")), asks)
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })
      }))
  }
})
