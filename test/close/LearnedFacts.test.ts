import { assert, describe, it } from "@effect/vitest"
import { type Asset, Keypair, Operation, xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { AccountAddress } from "../../src/domain/Address.ts"
import type { LedgerState } from "../../src/ledger/LedgerState.ts"
import { addressOf, addressVal, symbol, u128, u32 } from "../../src/ledger/soroban/Values.ts"
import { sharePoolKeys } from "../../src/sandbox/contracts/amm1/PoolKeys.ts"
import { setCountKey } from "../../src/sandbox/contracts/amm1/Router.ts"
import { factoryInstanceKeys } from "../../src/sandbox/contracts/amm2/FactoryKeys.ts"
import { poolConfigKey } from "../../src/sandbox/contracts/amm3/PoolStore.ts"
import { Hang } from "../../src/sandbox/faults/Connection.ts"
import type { Network } from "../../src/sandbox/Network.ts"
import { amm1ContractsAt } from "../../src/sandbox/scenarios/Amm1Contracts.ts"
import { Amm1Market } from "../../src/sandbox/scenarios/Amm1Market.ts"
import { pairsContracts } from "../../src/sandbox/scenarios/PairsContracts.ts"
import { PairsMarket, transferToken } from "../../src/sandbox/scenarios/PairsMarket.ts"
import type { DeployedProtocol } from "../../src/sandbox/scenarios/SandboxDeployment.ts"
import { fund, perform, type ScenarioFailed } from "../../src/sandbox/scenarios/Scenario.ts"
import { stakedPoolsContracts } from "../../src/sandbox/scenarios/StakedPoolsContracts.ts"
import { StakedPoolsMarket } from "../../src/sandbox/scenarios/StakedPoolsMarket.ts"
import { namesAddress } from "../../src/stellar/ScAddresses.ts"
import { secondsOf } from "../support/JumpingClock.ts"
import { firstOf, isThorough } from "../support/Thorough.ts"
import { reentered, rewritten } from "./leaving/support/Meddling.ts"
import { acknowledges, answersTo, echo, positionIn } from "./support/Answering.ts"
import { next, offered, plan, refusal } from "./support/Client.ts"
import { acknowledged } from "./support/Judged.ts"
import { Service } from "./support/Service.ts"
import { type Lie, Sources, sourcesService } from "./support/Sources.ts"

const STROOPS = 10_000_000n

const { constantProduct, constantProductShare, router, stableShare } = amm1ContractsAt
const { five, stable } = stakedPoolsContracts

interface Market {
  readonly provider: Keypair
  readonly usdc: Asset
}

/** An account that was given shares, which its own history does not mention, and that trusts the assets they pay. */
const givenShares = (market: Market, token: xdr.ScAddress) =>
  Effect.gen(function*() {
    const [source, destination] = [Keypair.random(), Keypair.random()]
    yield* fund("100", source, destination)
    yield* perform("the account trusts USDC", { as: source, operations: [Operation.changeTrust({ asset: market.usdc })] })
    yield* transferToken("the account is given shares", market.provider, { token, amount: 10n * STROOPS }, addressOf(source.publicKey()))
    return { source, destination }
  })

/** A structure with other values for some of its fields. */
const amended = (fields: Readonly<Record<string, xdr.ScVal>>) => (value: xdr.ScVal): xdr.ScVal =>
  value.type !== "scvMap"
    ? assert.fail("no structure")
    : xdr.ScVal.scvMap((value.map ?? []).map(({ key, val }) =>
      new xdr.ScMapEntry({
        key,
        val: Object.entries(fields).find(([name]) => symbol(name).toXdr("base64") === key.toXdr("base64"))?.[1] ?? val
      })
    ))

interface Hidden {
  readonly name: string
  readonly protocol: DeployedProtocol
  readonly scene: Effect.Effect<{ readonly source: Keypair; readonly destination: Keypair }, ScenarioFailed, Network>
  /** The ledger without the entries that lead to the shares. */
  readonly hiding: (state: LedgerState) => LedgerState
}

const CASES: ReadonlyArray<Hidden> = [
  {
    name: "that names another token for the shares of a pool of amm_1",
    protocol: "amm_1",
    scene: Effect.flatMap(Amm1Market, (market) => givenShares(market, constantProductShare)),
    hiding: rewritten(constantProduct, sharePoolKeys.share, () => addressVal(stableShare))
  },
  {
    name: "whose router of amm_1 has fewer sets of tokens",
    protocol: "amm_1",
    scene: Effect.flatMap(Amm1Market, (market) => givenShares(market, constantProductShare)),
    hiding: rewritten(router, setCountKey, () => u128(0n))
  },
  {
    name: "whose factory of amm_2 made fewer pairs",
    protocol: "amm_2",
    scene: Effect.flatMap(PairsMarket, (market) => givenShares(market, market.pairs.lumensUsdc)),
    hiding: rewritten(pairsContracts.factory, factoryInstanceKeys.totalPairs, () => u32(0))
  },
  {
    name: "whose pool of amm_3 works with another share token and stake",
    protocol: "amm_3",
    scene: Effect.flatMap(StakedPoolsMarket, (market) => givenShares(market, five.shareToken)),
    hiding: reentered(
      five.pool,
      poolConfigKey,
      amended({ share_token: addressVal(stable.shareToken), stake_contract: addressVal(stable.stake) })
    )
  },
  {
    name: "whose pool of amm_3 says nothing that can be made out",
    protocol: "amm_3",
    scene: Effect.flatMap(StakedPoolsMarket, (market) => givenShares(market, five.shareToken)),
    hiding: (state) => reentered(five.pool, poolConfigKey, () => symbol("nothing"))(state)
  }
]

/** It shows nothing of an account in contracts, and no events. */
const hidingSharesOf = (owner: string): Lie => {
  const isOwn = ({ key: text }: { readonly key: string }): boolean => {
    const key = xdr.LedgerKey.fromXdr(text, "base64")
    return key.type === "contractData" && namesAddress(key.contractData.key, AccountAddress.make(owner))
  }
  return (method, result) => {
    if (method === "getEvents") return { ...result, events: [] }
    const { entries } = result as { readonly entries?: ReadonlyArray<{ readonly key: string }> }
    return method === "getLedgerEntries" ? { ...result, entries: (entries ?? []).filter((one) => !isOwn(one)) } : result
  }
}

/** It answers only requests for entries. */
const onlyEntries: Lie = (method, result) => (method === "getLedgerEntries" || method === "getNetwork" ? result : null)

const made = (scene: Hidden["scene"]) =>
  Effect.gen(function*() {
    const { on, sandbox } = yield* Service
    const { destination, source } = yield* on(scene)
    yield* sandbox.closeLedger({ advanceSeconds: 5 })
    return { source: source.publicKey(), destination: destination.publicKey() }
  })

const merged = (request: { readonly source: string; readonly destination: string }) =>
  Effect.gen(function*() {
    const asked = yield* plan(request)
    // Shares that a hidden pool minted are a token like any other then.
    const decisions = answersTo(asked, "exit", "convert_to_native", "acknowledge_residue")
    return { asked, refused: yield* refusal("next", { ...request, decisions }) }
  })

describe("of two contract RPCs one", () => {
  for (const { hiding, name, protocol, scene } of firstOf(2, CASES)) {
    it.scopedLive(`${name} closes no account over what is hidden so, and is not believed any more`, () =>
      Effect.gen(function*() {
        const request = yield* made(scene)
        const [liar] = yield* Sources
        const { refused } = yield* liar!.imagining(hiding, merged(request))
        assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })

        // None of its earlier answers stays cached.
        const asked = yield* plan(request)
        assert.include(asked.decisionPoints.map(({ type }) => type), "position")
        assert.deepStrictEqual((yield* offered({ ...request, decisions: answersTo(asked, "exit", "convert_to_native") })).covers, [
          "EXIT_POSITIONS"
        ])
      }).pipe(Effect.provide(sourcesService(2, {}, [protocol]))), 120_000)
  }

  it.scopedLive(
    "that was contradicted about shares, and hides the pair itself once the other is silent, closes nothing over them",
    () =>
      Effect.gen(function*() {
        const { hiding, scene } = CASES[2]!
        const request = yield* made(scene)
        const [liar, other] = yield* Sources
        // Events would name the shares without the pair.
        yield* other!.faults.set({ fault: new Hang({}), rpc: "getEvents" })
        yield* liar!.lying(
          hidingSharesOf(request.source),
          Effect.gen(function*() {
            assert.deepInclude((yield* merged(request)).refused, { status: 503, code: "sources_disagree" })
            yield* other!.faults.set({ fault: new Hang({}), rpc: "*" })
            const { asked, refused } = yield* liar!.imagining(hiding, merged(request))
            assert.deepStrictEqual(asked.blockers, [])
            assert.deepInclude(refused, { status: 503, code: "sources_disagree", details: { about: "contract_entries" } })
          })
        )
      }).pipe(Effect.provide(sourcesService(2, {}, [CASES[2]!.protocol]))),
    120_000
  )

  it.scopedLive(
    "that was contradicted about a list stops the merge of no other account, and nothing is read twice for it",
    () =>
      Effect.gen(function*() {
        const { hiding, scene } = CASES[2]!
        const request = yield* made(scene)
        const [liar, other] = yield* Sources
        const { on } = yield* Service
        const uninvolved = yield* on(Effect.gen(function*() {
          const [source, destination] = [Keypair.random(), Keypair.random()]
          yield* fund("100", source, destination)
          return acknowledged(source, destination)
        }))
        yield* other!.faults.set({ fault: new Hang({}), rpc: "getEvents" })
        const refused = Effect.gen(function*() {
          const decisions = answersTo(yield* plan(request), "exit", "convert_to_native", "acknowledge_residue")
          other!.asked.length = 0
          const [{ code }, seconds] = yield* secondsOf(refusal("next", { ...request, decisions }))
          return { code, seconds, asked: [...other!.asked] }
        })
        const lying = liar!.lying(hidingSharesOf(request.source), liar!.imagining(hiding, refused))
        // Where it answers, all is read once more: one of the two may have erred once.
        assert.deepStrictEqual(yield* lying, { code: "sources_disagree", seconds: 0, asked: ["getLedgerEntries", "getLedgerEntries"] })
        yield* other!.faults.set({ fault: new Hang({}), rpc: "*" })
        assert.deepStrictEqual(yield* lying, { code: "sources_disagree", seconds: 3, asked: ["getLedgerEntries"] })
        const { transactions, warnings } = yield* next(uninvolved)
        assert.deepStrictEqual(transactions.map(({ covers }) => covers), [["MERGE"]])
        assert.deepStrictEqual(warnings?.map(({ code }) => code), ["single_source"])
      }).pipe(Effect.provide(sourcesService(2, {}, [CASES[2]!.protocol]))),
    120_000
  )

  it.scopedLive("that told a list and leaves everything else to the other is no witness for it", () =>
    Effect.gen(function*() {
      const { hiding, scene } = CASES[1]!
      const { sandbox } = yield* Service
      const request = yield* made(scene)
      const [liar, other] = yield* Sources
      const refused = yield* liar!.imagining(
        hiding,
        Effect.gen(function*() {
          assert.notInclude((yield* plan(request)).decisionPoints.map(({ type }) => type), "position")
          // Its answers about the earlier ledger no longer count.
          yield* sandbox.closeLedger({ advanceSeconds: 5 })
          other!.asked.length = 0
          return yield* liar!.lying(onlyEntries, merged(request))
        })
      )
      assert.notInclude(refused.asked.decisionPoints.map(({ type }) => type), "position")
      assert.include(other!.asked, "getLatestLedger")
      assert.deepInclude(refused.refused, { status: 503, code: "sources_disagree" })
    }).pipe(Effect.provide(sourcesService(2, {}, [CASES[1]!.protocol]))), 120_000)

  for (
    const { deployed, spared, when } of [
      { deployed: ["amm_1"], spared: 1, when: "what was learned for good, as its like is, before the first merge alone" },
      { deployed: "everything", spared: 0, when: "what an upgrade may change, as its like is, before each merge" }
    ] as const
  ) {
    it.scopedLive.runIf(isThorough)(
      `is asked about ${when}`,
      () =>
        Effect.gen(function*() {
          const request = yield* made(CASES[0]!.scene)
          const sources = yield* Sources
          const point = positionIn(yield* plan(request))
          const decisions = [echo(point, "acknowledge_forfeit"), acknowledges(request.destination)]
          const questions = Effect.gen(function*() {
            for (const one of sources) one.asked.length = 0
            assert.include((yield* offered({ ...request, decisions })).covers, "MERGE")
            return sources.map(({ asked }) => asked.filter((method) => method === "getLedgerEntries").length)
          })
          const [[first = 0, second], [firstAgain, secondAgain]] = [yield* questions, yield* questions]
          assert.deepStrictEqual([second, secondAgain], [1, 1])
          assert.strictEqual(firstAgain, first - spared)
        }).pipe(Effect.provide(sourcesService(2, {}, deployed))),
      120_000
    )
  }
})
