import { assert } from "@effect/vitest"
import { type Asset, Networks, type xdr } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { addressOf } from "../../src/ledger/soroban/Values.ts"
import { FundedPair } from "../../src/sandbox/scenarios/FundedPair.ts"
import { keyOfInstance } from "../../src/xdr/LedgerKeys.ts"
import { layer } from "../support/Layered.ts"
import { mainnetAssets } from "../support/scenarios/MainnetAssets.ts"
import { liveRouter } from "../support/scenarios/MainnetCode.ts"
import { withLiveRouter } from "../support/scenarios/MainnetShape.ts"
import { answersTo } from "./support/Answering.ts"
import type { Answer, PlanBody } from "./support/Client.ts"
import { addressesOf, mainnetService, shipped } from "./support/MainnetServed.ts"
import { Service } from "./support/Service.ts"

const LONG = { excludeTestServices: true, timeout: 240_000 }

/** Ledgers that sources keep where they do not keep all, and ledgers that pass in between. */
const REMEMBERED = 500
const PASSED = 5_000

type Pair = Pick<Effect.Effect.Success<typeof FundedPair>, "source" | "destination">

const planned = Effect.fnUntraced(function*({ destination, source }: Pair, decisions: ReadonlyArray<Answer> = []) {
  const { call } = yield* Service
  const request = { source: source.publicKey(), destination: destination.publicKey(), decisions }
  const { body, status } = yield* call<PlanBody>("POST", "/v1/mainnet/close/plan", request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
})

const plainAccount = Effect.gen(function*() {
  const { on, sandbox } = yield* Service
  const pair = yield* on(FundedPair)
  yield* sandbox.closeLedger({ advanceSeconds: 5 })
  return pair
})

const reasons = ({ blockers }: PlanBody): ReadonlyArray<string> => blockers.flatMap(({ reason = "none" }) => reason)

const asked = ({ decisionPoints }: PlanBody): ReadonlyArray<string> =>
  decisionPoints.flatMap(({ required, type }) => (required ? [type] : [])).toSorted()

/** The plan of a plain account has a decision point only for its destination, and then no blockers. */
const assertPlain = Effect.fnUntraced(function*(pair: Pair) {
  const first = yield* planned(pair)
  assert.deepStrictEqual([asked(first), reasons(first)], [["destination"], []])
  const answered = yield* planned(pair, answersTo(first))
  assert.deepStrictEqual([answered.status, reasons(answered)], ["ready", []])
})

const unreadOf = Effect.gen(function*() {
  const { call } = yield* Service
  const { body } = yield* call<
    { readonly networks: { readonly mainnet: { readonly closable: boolean; readonly unread: ReadonlyArray<string> } } }
  >(
    "GET",
    "/"
  )
  return [body.networks.mainnet.closable, body.networks.mainnet.unread]
})

const codeOf = (entry: xdr.LedgerEntry | undefined): string | null => {
  const value = entry?.data.type === "contractData" ? entry.data.contractData.val : null
  if (value?.type !== "scvContractInstance") return null
  const { executable } = value.instance
  return executable.type === "contractExecutableWasm" ? Buffer.from(executable.wasmHash.toBytes()).toString("hex") : executable.type
}

/** Kinds of code behind the roles of the contracts file, as the decoders distinguish them. */
const KINDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "lend_1 poolV1": ["poolV1"],
  "lend_1 poolV2": ["poolV2"],
  "lend_1 backstop": ["backstopV1", "backstopV2"],
  "lend_1 backstopToken": ["backstopToken"],
  "amm_1 router": ["router"],
  "amm_2 factory": ["factory"],
  "amm_2 router": ["router"],
  "amm_3 factory": ["factory"],
  "amm_3 stake": ["historyStake", "pointsStake"]
}

layer(mainnetService(), LONG)("a network shaped as mainnet is", (it) => {
  it.effect("has every contract that the shipped file names, with the code that it lists", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const { state } = yield* sandbox.snapshot
      const file = yield* shipped
      const { protocols, tokens } = addressesOf(file)
      let judged = 0
      for (const [protocol, roles] of Object.entries(protocols)) {
        for (const [role, addresses] of Object.entries(roles)) {
          const kinds = KINDS[`${protocol} ${role}`]
          const listed: Readonly<Record<string, ReadonlyArray<string>>> = file.code?.[protocol as "lend_1"] ?? {}
          for (const address of addresses) {
            const code = codeOf(state.get(keyOfInstance(addressOf(address))))
            assert.isNotNull(code, `${protocol} ${role} ${address}`)
            if (kinds === undefined) continue
            assert.include(kinds.flatMap((kind) => listed[kind] ?? []), code, `${protocol} ${role} ${address}`)
            judged++
          }
        }
      }
      assert.strictEqual(judged, 29)
      const assets = new Set(mainnetAssets.map((asset: Asset) => asset.contractId(Networks.PUBLIC)))
      const running = tokens.map((token) => codeOf(state.get(keyOfInstance(addressOf(token)))))
      assert.isTrue(running.every((code) => code !== null))
      assert.strictEqual(running.filter((code) => code === "contractExecutableStellarAsset").length, assets.size)
      assert.isTrue([...assets].every((address) => tokens.some((token) => token === address)))
    }))

  it.effect("is read to its end, and a plain account can be closed on it", () =>
    Effect.gen(function*() {
      yield* assertPlain(yield* plainAccount)
      assert.deepStrictEqual(yield* unreadOf, [true, []])
    }))
})

layer(mainnetService(), LONG)("on such a network whose router runs code that no file lists, and that declares what is relied on", (it) => {
  it.effect("a plain account can be closed", () =>
    Effect.gen(function*() {
      const { sandbox } = yield* Service
      const addresses = addressesOf(yield* shipped)
      yield* sandbox.amend((state) => withLiveRouter(state, addresses))
      const [router = ""] = addresses.protocols["amm_1"]?.["router"] ?? []
      const { state } = yield* sandbox.snapshot
      assert.strictEqual(codeOf(state.get(keyOfInstance(addressOf(router)))), liveRouter.hash)
      yield* assertPlain(yield* plainAccount)
    }))
})

layer(mainnetService({ retention: REMEMBERED }, PASSED), LONG)("on such a network whose sources have forgotten its first ledgers", (it) => {
  it.effect("a plain account whose own history is known is asked no more", () =>
    Effect.gen(function*() {
      yield* assertPlain(yield* plainAccount)
      assert.deepStrictEqual(yield* unreadOf, [true, ["lend_1"]])
    }))

  it.effect("an account that is older than what is remembered is asked about lending pools that nobody lists", () =>
    Effect.gen(function*() {
      const { prepared } = yield* Service
      const old = prepared[0] ?? assert.fail("no account was made before")
      const first = yield* planned(old)
      assert.deepStrictEqual([asked(first), reasons(first)], [["destination", "positions_unread"], ["positions_unread"]])
      const answered = yield* planned(old, answersTo(first))
      assert.deepStrictEqual([answered.status, reasons(answered)], ["ready", []])
    }))
})
