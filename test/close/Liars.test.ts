import { assert } from "@effect/vitest"
import { Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../src/ledger/Asset.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { sha256 } from "../../src/ledger/Signatures.ts"
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
import { rewardZoneKey } from "../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { deployedKey } from "../../src/sandbox/contracts/lend1/PoolFactory.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { withFactory } from "../../src/sandbox/scenarios/LendingEntries.ts"
import { submitRequestsTo } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { keyOfContractData, keyOfInstance } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { deployPool, LendingDeployed } from "../support/scenarios/LendingDeployed.ts"
import { LendingSupply } from "../support/scenarios/LendingSupply.ts"
import { firstOf } from "../support/Thorough.ts"
import { withCode } from "./leaving/support/ByReference.ts"
import { answersTo, echo, positionIn } from "./support/Answering.ts"
import { type Asked, offered, plan, refusal } from "./support/Client.ts"
import { Service } from "./support/Service.ts"
import { type Lie, type RpcEndpoint, Sources, sourcesService } from "./support/Sources.ts"

const { backstop, pool, poolFactory } = lendingContracts
const alone = { excludeTestServices: true }
const forLong = 1_000_000

const positionsKey = (owner: string): xdr.ScVal => variant("Positions", addressVal(addressOf(owner)))

type Amounts = ReadonlyArray<readonly [index: number, units: bigint]>

const amounts = (all: Amounts): xdr.ScVal =>
  xdr.ScVal.scvMap(all.map(([index, units]) => new xdr.ScMapEntry({ key: u32(index), val: i128(units) })))

/** A forged ledger in which the account has these positions in a pool. */
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

/** A stranger's contract with code of its own that holds everyone's money, and an unrelated account with 60 EURC. */
const Stranger = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { eurc, issuer, native, source } = scene
  const { amend, passphrase, snapshot } = yield* Network
  const factory = contractAddress(new xdr.ContractId(sha256(Buffer.from(`a factory of nobody's for ${source.publicKey()}`))))
  yield* amend((state) => withFactory(state, factory, scene.blnd, passphrase))
  const contract = yield* deployPool(factory, scene.lender, scene.assets)
  yield* perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] })
  yield* submitRequestsTo(contract, "the lender lends", scene.lender, ["supply", eurc, 1_000n * lumen], ["supply", native, 10n * lumen])
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: eurc, amount: "60" })]
  })
  const looked = (yield* snapshot).state.get(keyOfInstance(contract))
  yield* amend((state) => withCode(state, contract, sha256(Buffer.from("code of a thief"))))
  return { ...scene, contract, looked: looked ?? assert.fail("no contract") }
})

/** A ledger on which a stranger's contract looks like a factory's pool with known code, where an account owes as much as it has. */
const imaginedPool = (owner: string, contract: xdr.ScAddress, looked: xdr.LedgerEntry) => (state: LedgerState): LedgerState => {
  const until = state.header.ledgerSeq + forLong
  return withPositions(
    state.set([
      looked,
      ...dataEntries(poolFactory, [deployedKey(contract), bool(true)], "persistent", until),
      ...dataEntries(backstop, [rewardZoneKey, vec(addressVal(pool), addressVal(contract))], "persistent", until)
    ]),
    contract,
    owner,
    { liabilities: [[2, 599_0000000n / 10n]], collateral: [[0, 9_0000000n]] }
  )
}

const later = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: 5 }))

interface Pair {
  readonly source: { readonly publicKey: () => string }
  readonly destination: { readonly publicKey: () => string }
}

const requestOf = ({ destination, source }: Pair): Asked => ({ source: source.publicKey(), destination: destination.publicKey() })

/** Plans and builds over the lies, with answers that let the close continue. Returns the decision ids and the builder's error. */
const refusedBy = (liar: RpcEndpoint, imagined: (state: LedgerState) => LedgerState, request: Asked) =>
  liar.imagining(
    imagined,
    Effect.gen(function*() {
      const asked = yield* plan(request)
      const decisions = answersTo(asked, "exit", "i_accept_unread_positions", "convert_to_native")
      return { asked: asked.decisionPoints.map(({ id }) => id), refused: yield* refusal("next", { ...request, decisions }) }
    })
  )

layer(sourcesService(2, {}, "everything"), alone)("of two contract RPCs the first, which shows a ledger of its own making", (it) => {
  it.effect("with a stranger's contract as a factory's pool that runs known code, and a debt there as large as the balance: refused, and nothing else", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [liar, second] = yield* Sources
      const { contract, looked, ...held } = yield* on(Stranger)
      yield* later
      const imagined = imaginedPool(held.source.publicKey(), contract, looked)
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
      assert.match(note, /hands it \d+\.\d+ EURC/)
      assert.deepInclude(told.unanswered, { status: 422, code: "needs_decisions" })
      assert.deepInclude(told.answered, { status: 503, code: "sources_disagree" })
      assert.include(second!.asked, "getLedgerEntries")
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)("of two contract RPCs the first, which shows what an account holds", (it) => {
  const lent: Amounts = [[1, 200n * lumen]]
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
          (yield* on(Effect.flatMap(Network, ({ snapshot }) => snapshot))).state.get(
            keyOfContractData(pool, positionsKey(owner), "persistent")
          )
        )
        const { asked, refused } = yield* refusedBy(liar!, (state) => withPositions(state, pool, owner, part), requestOf(held))
        assert.deepStrictEqual(asked.filter((id) => id.startsWith("position")), asks)
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })
      }))
  }
})

layer(sourcesService(2, {}, ["lend_1"]), alone)(
  "of two contract RPCs the second, which shows what an account holds that has nothing",
  (it) => {
    const lent: Amounts = [[1, 200n * lumen]]
    for (
      const [what, part] of [
        ["as something", { supply: lent }],
        ["as less than nothing", { supply: [[1, -1n]] }],
        ["as nothing and as something", { supply: [[1, 0n], ...lent] }]
      ] satisfies ReadonlyArray<readonly [string, Readonly<Record<string, Amounts>>]>
    ) {
      it.effect(`${what}: the merge is refused, and nothing is asked`, () =>
        Effect.gen(function*() {
          const { on } = yield* Service
          const [, liar] = yield* Sources
          const held = yield* on(LendingNewcomer)
          yield* later
          const owner = held.source.publicKey()
          const { asked, refused } = yield* refusedBy(liar!, (state) => withPositions(state, pool, owner, part), requestOf(held))
          assert.deepStrictEqual(asked.filter((id) => id.startsWith("position")), [])
          assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })
        }))
    }

    it.effect("in a stranger's contract that it shows as a factory's pool: refused, and nothing is asked", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const [, liar] = yield* Sources
        const { contract, looked, ...held } = yield* on(Stranger)
        yield* later
        const { asked, refused } = yield* refusedBy(liar!, imaginedPool(held.source.publicKey(), contract, looked), requestOf(held))
        assert.deepStrictEqual(asked.filter((id) => id.startsWith("position")), [])
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })
      }))
  }
)

interface EventText {
  readonly id: string
  readonly [field: string]: unknown
}

const eventsIn = ({ events }: Record<string, unknown>) => (events ?? []) as ReadonlyArray<EventText>

/** Returns no deployment event. */
const tellingNone: Lie = (method, result) => (method === "getEvents" ? { ...result, events: [] } : result)

/** Returns deployment events of the factory for these contracts as well. */
const tellingOf = (...contracts: ReadonlyArray<xdr.ScAddress>): Lie => (method, result, { startLedger }) => {
  if (method !== "getEvents" || typeof startLedger !== "number") return result
  const told = contracts.map((contract, at): EventText => ({
    type: "contract",
    ledger: startLedger,
    contractId: strkeyOf(poolFactory),
    id: `${(BigInt(startLedger) << 32n).toString().padStart(19, "0")}-${String(at).padStart(10, "0")}`,
    topic: [symbol("deploy").toXdr("base64")],
    value: addressVal(contract).toXdr("base64")
  }))
  return { ...result, events: [...told, ...eventsIn(result)] }
}

for (const [place, name] of firstOf(1, [[0, "first"], [1, "second"]] as const)) {
  layer(sourcesService(2, {}, ["lend_1"]), alone)(`of two contract RPCs the ${name}, which tells of no deployment`, (it) => {
    it.effect("what an account has in a pool that no other list names is left as ever", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const liar = (yield* Sources)[place]
        const held = yield* on(LendingDeployed)
        yield* later
        const request = requestOf(held)
        const { covers, ids } = yield* liar!.lying(
          tellingNone,
          Effect.gen(function*() {
            const asked = yield* plan(request)
            const decisions = answersTo(asked, "exit", "convert_to_native")
            return { ids: asked.decisionPoints.map(({ id }) => id), covers: (yield* offered({ ...request, decisions })).covers }
          })
        )
        assert.include(ids, `position:lend_1:${strkeyOf(held.deployed)}:reserves`)
        assert.deepStrictEqual(covers, ["EXIT_POSITIONS"])
        if (place === 0) assert.include(liar!.asked, "getEvents")
      }))
  })

  layer(sourcesService(2, {}, ["lend_1"]), alone)(
    `of two contract RPCs the ${name}, which tells that a factory deployed a stranger's contract`,
    (it) => {
      it.effect("the contract is neither read nor called", () =>
        Effect.gen(function*() {
          const { on } = yield* Service
          const liar = (yield* Sources)[place]
          const { contract, ...held } = yield* on(Stranger)
          yield* later
          const request = requestOf(held)
          const { asked, covers } = yield* liar!.lying(
            tellingOf(contract),
            Effect.gen(function*() {
              const asked = yield* plan(request)
              const decisions = answersTo(asked, "exit", "convert_to_native")
              return { asked, covers: (yield* offered({ ...request, decisions })).covers }
            })
          )
          assert.deepStrictEqual(asked.decisionPoints.filter(({ id }) => id.startsWith("position")), [])
          assert.deepStrictEqual(covers, ["HANDLE_ASSETS", "REMOVE_TRUSTLINES", "MERGE"])
          // The plan warns about a contract that no factory lists.
          const told = asked.warnings.filter(({ subject }) => subject === "lend_1").map(({ code }) => code)
          assert.deepStrictEqual(told, ["source_failed"])
        }))
    }
  )
}
