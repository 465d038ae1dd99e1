import { assert } from "@effect/vitest"
import { type Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../src/ledger/Asset.ts"
import { sha256 } from "../../src/ledger/Signatures.ts"
import { contractData } from "../../src/ledger/soroban/ContractEntries.ts"
import { addressOf, addressVal, bool, contractAddress, strkeyOf, variant, vec } from "../../src/ledger/soroban/Values.ts"
import { rewardZoneKey } from "../../src/sandbox/contracts/lend1/BackstopKeys.ts"
import { deployedKey } from "../../src/sandbox/contracts/lend1/PoolFactory.ts"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import { Network } from "../../src/sandbox/Network.ts"
import { lendingContracts } from "../../src/sandbox/scenarios/LendingContracts.ts"
import { withFactory } from "../../src/sandbox/scenarios/LendingEntries.ts"
import { submitRequestsTo } from "../../src/sandbox/scenarios/LendingMarket.ts"
import { LendingNewcomer } from "../../src/sandbox/scenarios/LendingNewcomer.ts"
import { perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { variantIn } from "../../src/stellar/ScValCodec.ts"
import { dataKey, keyOfContractData, keyOfInstance } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { LendingDebt } from "../support/scenarios/LendingDebt.ts"
import { deployPool } from "../support/scenarios/LendingDeployed.ts"
import { LendingSupply } from "../support/scenarios/LendingSupply.ts"
import { type ErrorBody, ownDetails } from "../support/TestService.ts"
import { Pair } from "./support/Accounts.ts"
import { answersTo, echo, positionIn } from "./support/Answering.ts"
import { busyCloses } from "./support/BusyCloses.ts"
import { next, type NextBody, offered, plan, refusal } from "./support/Client.ts"
import { closeThrough } from "./support/CloseLoop.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"
import { type Lie, Sources, sourcesService } from "./support/Sources.ts"

const alone = { excludeTestServices: true }

const memoName = "config.memo_required"

const { backstop, pool, poolFactory } = lendingContracts

interface EntryText {
  readonly key: string
  readonly xdr: string
  readonly [field: string]: unknown
}

const entriesIn = ({ entries }: Record<string, unknown>) => (entries ?? []) as ReadonlyArray<EntryText>

const positionsOf = (of: xdr.ScAddress, owner: string): xdr.LedgerKey =>
  keyOfContractData(of, variant("Positions", addressVal(addressOf(owner))), "persistent")

/** Reports no entry under this key. */
const without = (key: xdr.LedgerKey): Lie => (method, result) =>
  method === "getLedgerEntries" ? { ...result, entries: entriesIn(result).filter((one) => one.key !== key.toXdr("base64")) } : result

/** Returns this entry in place of the real one or of none. */
const showing = (...data: ReadonlyArray<xdr.LedgerEntryData>): Lie => (method, result, { keys }) => {
  if (method !== "getLedgerEntries") return result
  const told = data.flatMap((one) => {
    if (one.type !== "contractData") return []
    const key = keyOfContractData(one.contractData.contract, one.contractData.key, "persistent").toXdr("base64")
    const common = { lastModifiedLedgerSeq: 3, liveUntilLedgerSeq: 9_000_000, extXdr: xdr.LedgerEntryExt.v0().toXdr("base64") }
    return (keys as ReadonlyArray<string>).includes(key) ? [{ key, xdr: one.toXdr("base64"), ...common }] : []
  })
  return { ...result, entries: [...entriesIn(result).filter(({ key }) => told.every((one) => one.key !== key)), ...told] }
}

/** An account that owes to a pool of a stranger's factory. Neither the file nor a listed factory knows that pool. */
const OwesElsewhere = Effect.gen(function*() {
  const scene = yield* LendingNewcomer
  const { eurc, issuer, native, source } = scene
  const { amend, passphrase } = yield* Network
  const stranger = contractAddress(new xdr.ContractId(sha256(Buffer.from(`a stranger's factory for ${source.publicKey()}`))))
  yield* amend((state) => withFactory(state, stranger, scene.blnd, passphrase))
  const elsewhere = yield* deployPool(stranger, scene.lender, scene.assets)
  yield* perform("the account trusts EURC", { as: source, operations: [Operation.changeTrust({ asset: eurc })] })
  yield* submitRequestsTo(elsewhere, "the lender lends", scene.lender, ["supply", eurc, 1_000n * lumen])
  yield* submitRequestsTo(elsewhere, "the account borrows", source, ["supplyCollateral", native, 2_000n * lumen], [
    "borrow",
    eurc,
    50n * lumen
  ])
  yield* perform("the issuer pays the account", {
    as: issuer,
    operations: [Operation.payment({ destination: source.publicKey(), asset: eurc, amount: "10" })]
  })
  return { ...scene, elsewhere }
})

/** A stranger's pool counts as one of the factory's own, and is in the reward zone. */
const inventing = (elsewhere: xdr.ScAddress): Lie =>
  showing(
    contractData(poolFactory, deployedKey(elsewhere), "persistent", bool(true)),
    contractData(backstop, rewardZoneKey, "persistent", vec(addressVal(pool), addressVal(elsewhere)))
  )

const requestOf = ({ destination, source }: { readonly destination: Keypair; readonly source: Keypair }) => ({
  source: source.publicKey(),
  destination: destination.publicKey()
})

/** A scenario on the sandbox of the service. */
const sandboxed = <A, E, R>(scenario: Effect.Effect<A, E, R>) => Effect.flatMap(Service, ({ on }) => on(scenario))

const later = Effect.flatMap(Service, ({ sandbox }) => sandbox.closeLedger({ advanceSeconds: 5 }))

layer(sourcesService(2, {}, "everything"), alone)("a close over two contract RPCs that both tell the truth", (it) => {
  it.effect("leaves its pool and is merged, and no plan rests on one source", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const held = yield* on(LendingSupply)
      yield* later
      const { rounds, plan: { warnings } } = yield* closeThrough({ ...held, wished: ["convert_to_native"] })
      assert.isAbove(rounds.length, 1)
      assert.notInclude(warnings.map(({ code }) => code), "single_source")
      const atBuild = warnings.flatMap(({ code, message }) => (code === "gates_at_build" ? [message] : []))
      assert.match(atBuild.join(), /^The build of transaction 2 compares/)
    }))

  it.effect("one a ledger behind the other while pools are busy in every ledger meets no contradiction", () => busyCloses(2))

  it.effect("compares what its contracts run and the account's own entries, and nothing that others change", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [first, second] = yield* Sources
      const held = yield* on(LendingDebt)
      yield* later
      const request = requestOf(held)
      const decisions = answersTo(yield* plan(request), "convert_to_native")
      const keys = new Map<string, ReadonlySet<string>>()
      /** Notes all keys of one endpoint, as text. */
      const noting = (name: string): Lie => (method, result, params) => {
        const asked = method === "getLedgerEntries" ? (params["keys"] as ReadonlyArray<string>) : []
        keys.set(name, new Set([...(keys.get(name) ?? []), ...asked]))
        return result
      }
      const told = yield* first!.lying(noting("first"), second!.lying(noting("second"), offered({ ...request, decisions })))
      assert.deepStrictEqual(told.covers, ["EXIT_POSITIONS"])
      // Either one may be the first witness: it is read from, and so gets more keys.
      const [witnessed, read] = [...keys.values()].toSorted((one, other) => one.size - other.size)
      const own = positionsOf(pool, held.source.publicKey()).toXdr("base64")
      const reserves = [...read ?? []].filter((text) => {
        const key = xdr.LedgerKey.fromXdr(text, "base64")
        return key.type === "contractData" && variantIn(key.contractData.key, "ResData") !== null
      })
      assert.isNotEmpty(reserves)
      assert.isFalse(reserves.some((text) => witnessed?.has(text)))
      assert.deepStrictEqual([own, keyOfInstance(pool).toXdr("base64")].map((text) => witnessed?.has(text)), [true, true])
    }))

  it.effect("asks the second for events, and one question more for a merge", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const sources = yield* Sources
      const { destination, source } = yield* on(LendingNewcomer)
      yield* later
      yield* offered(acknowledged(source, destination))
      const during = <A, E, R>(work: Effect.Effect<A, E, R>) =>
        Effect.zipRight(
          Effect.sync(() => {
            for (const { asked } of sources) asked.length = 0
          }),
          Effect.map(work, () => sources.map(({ asked }) => asked.length).toSorted((a, b) => a - b))
        )
      const [planned] = yield* during(plan(acknowledged(source, destination)))
      const [built] = yield* during(offered(acknowledged(source, destination)))
      // Only the range of ledgers is fetched: events of the account, and facts from them, are cached.
      assert.deepStrictEqual([planned, built], [1, 2])
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)("a close over two contract RPCs of which one lies", (it) => {
  it.effect("by leaving a position out is not merged over it, whichever of the two it is", () =>
    Effect.gen(function*() {
      const { call, on } = yield* Service
      const told: Array<unknown> = []
      for (const liar of yield* Sources) {
        const held = yield* on(LendingSupply)
        yield* later
        const request = requestOf(held)
        const { body } = yield* liar.lying(
          without(positionsOf(pool, held.source.publicKey())),
          Effect.gen(function*() {
            const decisions = answersTo(yield* plan(request), "convert_to_native")
            return yield* call<Partial<NextBody & ErrorBody>>("POST", "/v1/testnet/close/transactions", { ...request, decisions })
          })
        )
        told.push(body.error === undefined ? body.transactions?.[0]?.covers : { code: body.error.code, ...ownDetails(body as ErrorBody) })
      }
      // One of them is the first witness. While the other lies the position is visible, and an exit that transfers nothing needs no second
      // witness.
      assert.sameDeepMembers(told, [{ code: "sources_disagree", about: "contract_entries" }, ["EXIT_POSITIONS"]])
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)("a close over two contract RPCs of which the first lies", (it) => {
  it.effect("by inventing a factory's pool gets no tokens: the point has no default, and its answer is refused", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [first] = yield* Sources
      const { elsewhere, ...held } = yield* on(OwesElsewhere)
      yield* later
      const told = yield* first!.lying(
        inventing(elsewhere),
        Effect.gen(function*() {
          const request = requestOf(held)
          const asked = yield* plan(request)
          const point = positionIn(asked)
          const decisions = [...answersTo(asked, "exit", "convert_to_native").filter(({ id }) => id !== point.id), echo(point, "exit")]
          return {
            point,
            unanswered: yield* refusal("next", { ...request, decisions: decisions.filter(({ id }) => id !== point.id) }),
            answered: yield* refusal("next", { ...request, decisions })
          }
        })
      )
      assert.include(told.point.id, strkeyOf(elsewhere))
      assert.deepInclude(told.point, { default: null, required: true })
      assert.deepInclude(told.unanswered, { status: 422, code: "needs_decisions" })
      assert.deepInclude(told.answered, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)("a merge into an account that asks for a memo", (it) => {
  it.effect("is not built while the first contract RPC hides that", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [first] = yield* Sources
      yield* on(LendingSupply)
      const { destination, source } = yield* on(Pair())
      yield* on(perform("SEP-29", { as: destination, operations: [Operation.manageData({ name: memoName, value: "1" })] }))
      yield* later
      const request = acknowledged(source, destination)
      const hidden = without(dataKey(destination.publicKey(), memoName))
      assert.deepInclude(yield* first!.lying(hidden, refusal("next", request)), {
        status: 503,
        code: "sources_disagree",
        details: { about: "destination" }
      })
      assert.deepInclude(yield* refusal("next", request), { status: 422, code: "memo_required" })
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)("a close over two contract RPCs of which one stays behind", (it) => {
  it.effect("is not merged before that one has come to the ledger of the other", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [, behind] = yield* Sources
      const { destination, source } = yield* on(LendingNewcomer)
      const refused = yield* behind!.stuck(Effect.zipRight(later, refusal("next", acknowledged(source, destination))))
      assert.deepInclude(refused, { status: 503, code: "contract_rpc_lagging", details: { behind: 1, ageSeconds: null } })
      assert.deepStrictEqual((yield* offered(acknowledged(source, destination))).covers, ["MERGE"])
    }))
})

layer(sourcesService(2, {}, ["lend_1"]), alone)("a close over two contract RPCs of which one is far behind", (it) => {
  it.effect("is not merged: that one is not taken for silent on the other's word alone, however many ledgers it is", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const [, behind] = yield* Sources
      const { destination, source } = yield* sandboxed(LendingNewcomer)
      const apart = Effect.replicateEffect(sandbox.closeLedger({ advanceSeconds: 1 }), 30, { discard: true })
      const refused = yield* behind!.stuck(Effect.zipRight(apart, refusal("next", acknowledged(source, destination))))
      assert.deepInclude(refused, { status: 503, code: "contract_rpc_lagging" })
      assert.isAtLeast(Number(refused.details["behind"]), 30)
    }))
})

layer(sourcesService(2, { TESTNET_MAX_LEDGER_AGE_SECONDS: "60" }, ["lend_1"]), alone)(
  "a close over two contract RPCs of which one stopped long ago, by our clock",
  (it) => {
    it.effect("is merged as over one whose other is silent, and says so", () =>
      Effect.gen(function*() {
        const { sandbox } = yield* Service
        const [, stopped] = yield* Sources
        const { destination, source } = yield* sandboxed(LendingNewcomer)
        yield* sandbox.closeLedger()
        const minutes = (seconds: number) => Effect.replicateEffect(Effect.sleep("20 seconds"), seconds / 20, { discard: true })
        const closing = Effect.zipRight(sandbox.closeLedger(), next(acknowledged(source, destination)))
        const { transactions, warnings } = yield* stopped!.stuck(Effect.zipRight(minutes(80), closing))
        assert.deepStrictEqual(transactions.map(({ covers }) => covers), [["MERGE"]])
        assert.isTrue(warnings?.some(({ code }) => code === "single_source"))
      }))

    it.effect("is not merged where that one has a position that the other leaves out", () =>
      Effect.gen(function*() {
        const { sandbox } = yield* Service
        const [first, stopped] = yield* Sources
        const held = yield* sandboxed(LendingSupply)
        yield* later
        const request = requestOf(held)
        const minutes = Effect.replicateEffect(Effect.sleep("20 seconds"), 4, { discard: true })
        const refused = yield* stopped!.stuck(
          Effect.zipRight(
            Effect.zipRight(minutes, sandbox.closeLedger()),
            first!.lying(
              without(positionsOf(pool, held.source.publicKey())),
              Effect.gen(function*() {
                return yield* refusal("next", { ...request, decisions: answersTo(yield* plan(request), "convert_to_native") })
              })
            )
          )
        )
        assert.deepInclude(refused, { status: 503, code: "contract_rpc_lagging" })
      }))

    it.effect("is not merged while that one is behind by less", () =>
      Effect.gen(function*() {
        const { sandbox } = yield* Service
        const [, stopped] = yield* Sources
        const { destination, source } = yield* sandboxed(LendingNewcomer)
        yield* sandbox.closeLedger()
        const refused = yield* stopped!.stuck(
          Effect.zipRight(
            Effect.zipRight(Effect.sleep("20 seconds"), sandbox.closeLedger()),
            refusal("next", acknowledged(source, destination))
          )
        )
        assert.deepInclude(refused, { status: 503, code: "contract_rpc_lagging" })
      }))
  }
)

layer(sourcesService(2, {}, ["lend_1"]), alone)("a close over two contract RPCs of which one is silent", (it) => {
  it.effect("goes on where nothing is held in protocols, says that it rests on one, and hands nothing over where something is", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [, silent] = yield* Sources
      const plain = yield* on(LendingNewcomer)
      const owing = yield* on(LendingDebt)
      yield* later
      yield* silent!.faults.set({ fault: new Hang({}), rpc: "*" })
      const { refused, warnings } = yield* Effect.gen(function*() {
        const { call } = yield* Service
        const { body } = yield* call<{ readonly warnings?: ReadonlyArray<{ readonly code?: string; readonly message: string }> }>(
          "POST",
          "/v1/testnet/close/transactions",
          acknowledged(plain.source, plain.destination)
        )
        const request = requestOf(owing)
        const decisions = answersTo(yield* plan(request), "convert_to_native")
        return { warnings: body.warnings, refused: yield* refusal("next", { ...request, decisions }) }
      }).pipe(Effect.ensuring(silent!.faults.clear()))
      assert.deepStrictEqual(warnings?.map(({ code, message }) => [code, message]), [[
        "single_source",
        "No second contract RPC responded. That the account has no positions rests on one source alone."
      ]])
      assert.deepInclude(refused, { status: 503, code: "network_unavailable" })
    }))
})

layer(sourcesService(1, {}, ["lend_1"]), alone)("a close over one contract RPC", (it) => {
  it.effect("says what rests on it, and a contract that it alone names is handed nothing unless the owner says so", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const [only] = yield* Sources
      const { elsewhere, ...held } = yield* on(OwesElsewhere)
      yield* later
      const { asked, refused } = yield* only!.lying(
        inventing(elsewhere),
        Effect.gen(function*() {
          const request = requestOf(held)
          const asked = yield* plan(request)
          const decisions = answersTo(asked, "convert_to_native").filter(({ id }) => id !== positionIn(asked).id)
          return { asked, refused: yield* refusal("next", { ...request, decisions }) }
        })
      )
      const point = positionIn(asked)
      assert.deepInclude(point, { default: null, required: true })
      const note = point.options.find(({ id }) => id === "exit")?.note ?? ""
      assert.include(note, strkeyOf(elsewhere))
      assert.match(note, /code [0-9a-f]{64}/)
      assert.match(note, /hands it .*EURC/)
      assert.include(asked.warnings.map(({ code }) => code), "single_source")
      assert.notInclude(asked.warnings.map(({ code }) => code), "gates_at_build")
      assert.deepInclude(refused, { status: 422, code: "needs_decisions" })
    }))
})
