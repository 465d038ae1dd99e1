import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { problemIn } from "../../src/close/leaving/simulation/FailedCall.ts"
import type { ContractAddress } from "../../src/domain/Address.ts"
import { authorizationProblem } from "../../src/operations/ContractCall.ts"
import type { ContractCall } from "../../src/operations/ContractCall.ts"
import { gate } from "../../src/protocols/CodeGate.ts"
import type { CallProblem } from "../../src/protocols/Exit.ts"
import { lend1 } from "../../src/protocols/Lend1.ts"
import { poolState } from "../../src/protocols/lend1/Pool.ts"
import { Request, submit } from "../../src/protocols/lend1/PoolExit.ts"
import { decodePlaces } from "../../src/protocols/Place.ts"
import { WasmHash } from "../../src/registry/ContractAddresses.ts"
import { vec } from "../../src/stellar/ScValCodec.ts"
import { exitIn, terms } from "./support/Leaving.ts"
import { amount, authOf, recorded } from "./support/Recorded.ts"
import type { RecordedCall } from "./support/Recorded.ts"

/** A call that the service builds for its recorded state. */
interface Built {
  /** Arguments that differ, by index, with the reason; all others are equal byte for byte. */
  readonly but?: readonly [place: number, why: string]
  /** Rewards were not claimed before it. */
  readonly withoutRewards?: boolean
  /** Calls between the recorded state and this one. */
  readonly after?: ReadonlyArray<string>
}

/** The service's reaction to a recorded call: it builds the call, does not build it for this reason, or maps its failure to this. */
type Told =
  | { readonly _tag: "Built" } & Built
  | { readonly _tag: "NotBuilt"; readonly why: string }
  | { readonly _tag: "Means"; readonly problem: CallProblem["_tag"] | "words of the host" }

const built = (how: Built = {}): Told => ({ _tag: "Built", ...how })
const notBuilt = (why: string): Told => ({ _tag: "NotBuilt", why })
const means = (problem: CallProblem["_tag"] | "words of the host"): Told => ({ _tag: "Means", problem })

const scene = notBuilt("it sets the scene")
const floors: Built = { but: [1, "floors below what is expected instead of none"] }

/** The whole exit without a claim: rewards stay. */
const wholeExit = "one submit, dry: repay all plus margin and withdraw everything, without claiming first"

const files: Readonly<Record<string, Readonly<Record<string, Told>>>> = {
  lend_1: {
    "supply usdc (type 0) as a plain supply": scene,
    "supply xlm as collateral and borrow eurc": scene,
    "withdraw collateral before repaying": means("Unavailable"),
    "repay with i128 max": means("Short"),
    "repay above the wallet balance": means("Short"),
    "withdraw (type 1) of an asset held only as collateral": means("Changed"),
    "withdraw collateral (type 3) of an asset held only as plain supply": means("Changed"),
    "repay an asset without debt": means("Changed"),
    "withdraw zero": means("Changed"),
    "asset that is no reserve": means("words of the host"),
    "unknown request type 10": means("Changed"),
    "repay one unit only": means("Changed"),
    "submit with three arguments": means("words of the host"),
    "submit with amount as u128": means("words of the host"),
    "claim with a reserve id outside the list": means("Changed"),
    "withdraw usdc without a USDC trustline": means("CannotReceive"),
    "claim without a BLND trustline": means("CannotReceive"),
    [wholeExit]: built(),
    "exit 1: claim emissions of reserve tokens 1 (xlm supply), 3 (usdc supply), 4 (eurc debt)": built({ after: [wholeExit] }),
    "exit 2: one submit: repay the debt plus 0.1 %, withdraw all collateral, withdraw all supply": built(),
    "withdraw again": means("Changed"),
    "submit without requests": notBuilt("nothing is left")
  },
  lend_1_backstop: {
    "backstop deposit": scene,
    "backstop exit 1: claim (BLND emissions are joined into comet and deposited again as shares)": built({
      but: [2, "a floor below what is expected instead of none"]
    }),
    "withdraw without a queue": means("Changed"),
    "queue one share too much": means("Changed"),
    "queue zero (dry): accepted, makes an empty queue entry": notBuilt("all shares are queued"),
    "claim with the pool listed twice": means("Changed"),
    "backstop exit 2a: queue half": built({ but: [2, "all shares instead of half"] }),
    "backstop exit 2b: queue the rest two days later": built({ after: ["backstop exit 2a: queue half"], withoutRewards: true }),
    "withdraw before expiry": means("TooEarly"),
    "withdraw one second before the first expiry": means("TooEarly"),
    "withdraw into the entry that has not expired": means("TooEarly"),
    "dequeue (dry): takes back the newest entry first": notBuilt("a close takes nothing back"),
    "backstop exit 3a: withdraw the first entry": built({ withoutRewards: true }),
    "backstop exit 3b: withdraw the rest": built({ withoutRewards: true }),
    "comet exit_pool: minimum far above the payout": means("Changed"),
    "comet exit_pool: one minimum missing": means("words of the host"),
    "comet exit_pool: more than held": means("Changed"),
    "comet exit_pool: zero minimums (dry)": built(floors),
    "comet single sided exit to usdc (dry)": notBuilt("all tokens are taken out in proportion"),
    "backstop exit 4: comet exit_pool": built(floors)
  },
  lend_1_v1: {
    "v1 supply usdc (type 0), xlm as collateral, borrow eurc": scene,
    "v1 withdraw collateral before repaying": means("Unavailable"),
    "v1 repay with i128 max": means("words of the host"),
    "v1 withdraw with i128 max": means("words of the host"),
    "v1 withdraw usdc only (dry): the transfer shows the underlying of the whole supply": notBuilt("a pool is left as a whole"),
    "v1 exit: one submit repay + withdraw all": built({
      but: [3, "a smaller margin; the requests are compared one by one in Lend1Exit.test.ts"]
    })
  }
}

const scVal = (text: string): xdr.ScVal => xdr.ScVal.fromXdr(text, "base64")

const texts = (args: ReadonlyArray<xdr.ScVal>) => args.map((arg) => arg.toXdr("base64"))

for (const [file, told] of Object.entries(files)) {
  const recording = recorded(file)
  const at = (...names: ReadonlyArray<string>) => names.flatMap((name) => recording.contracts[name]?.address ?? [])
  const hash = (name: string) => [WasmHash.make(recording.contracts[name]?.wasmHash ?? "0".repeat(64))] as const
  const protocol = lend1({
    pools: at("pool", "poolV1"),
    backstops: at("backstop"),
    comets: at("comet"),
    factories: [],
    code: { poolV2: hash("pool"), poolV1: hash("poolV1"), backstopV2: hash("backstop"), backstopToken: hash("comet") }
  })

  /** The next calls for the holdings in a contract when a call was recorded. */
  const nextCalls = (call: RecordedCall, { after = [], withoutRewards = false }: Built): ReadonlyArray<ContractCall> => {
    const view = recording.viewAt(call, after)
    const spendable = (token: ContractAddress): bigint => {
      const name = Object.entries(recording.contracts).find(([, { address }]) => address === token)?.[0]
      return amount(recording.fact(call.state, `user.${name}`) ?? 0)
    }
    return decodePlaces(protocol.places, recording.user, view).positions.flatMap((position) => {
      const exit = exitIn(protocol, position, { user: recording.user, view, ...terms(view), spendable, withoutRewards })
      return exit._tag === "Calls" && exit.calls[0].contract === call.contract ? [exit.calls[0]] : []
    })
  }

  describe(`${file}: recorded calls`, () => {
    it("are all told apart", () => {
      assert.deepStrictEqual(recording.calls.map(({ name }) => name), Object.keys(told))
      assert.deepStrictEqual(
        recording.calls.filter(({ ok }) => !ok).map(({ name }) => name),
        Object.keys(told).filter((name) => told[name]?._tag === "Means")
      )
    })

    for (const call of recording.calls) {
      const one = told[call.name]
      if (one === undefined) continue

      if (one._tag === "Built") {
        it(`${call.name}: is built${one.but === undefined ? " byte for byte" : `, but for ${one.but[1]}`}, and asks to authorise no more than is declared`, () => {
          const [next, ...others] = nextCalls(call, one)
          assert.isEmpty(others)
          assert(next !== undefined, "nothing is built")
          assert.strictEqual(next.function, call.function)
          const chosen = (args: ReadonlyArray<string>) => args.filter((_, place) => place !== one.but?.[0])
          assert.deepStrictEqual(chosen(texts(next.args)), chosen(call.args))
          assert.strictEqual(texts(next.args).length, call.args.length)
          const auth = authOf(call)
          assert.strictEqual(auth.length, 1)
          assert.strictEqual(authorizationProblem(next, recording.user, auth) === null, one.but === undefined)
          // Arguments of `submit` that differ also appear in its sub-calls; a comparison with the recorded arguments follows below.
          if (next.subCalls.length === 0) assert.isNull(authorizationProblem({ ...next, args: call.args.map(scVal) }, recording.user, auth))
        })
      }

      if (one._tag !== "Built" && call.stateExact) {
        it(`${call.name}: is not built`, () => {
          for (const withoutRewards of [false, true]) {
            for (const next of nextCalls(call, { withoutRewards })) {
              assert.notDeepEqual([next.function, ...texts(next.args)], [call.function, ...call.args])
            }
          }
        })
      }

      if (one._tag === "Means") {
        it(`${call.name}: means ${one.problem}`, () => {
          const failed: ContractCall = {
            contract: call.contract,
            function: call.function,
            args: [],
            payouts: [],
            holds: [],
            subCalls: [],
            recipients: []
          }
          assert.strictEqual(
            problemIn(protocol, failed, `HostError: ${call.errorCode ?? ""}\n\nEvent log`)?._tag ?? "words of the host",
            one.problem
          )
        })
      }
    }
  })
}

describe("lend_1_v1: the recorded exit", () => {
  it("is built byte for byte with the recorded margin, and asks to authorise what is declared then", () => {
    const recording = recorded("lend_1_v1")
    const call = recording.call("v1 exit")
    const gated = gate(
      recording.view(call.state),
      recording.contract("poolV1"),
      new Map([[recording.contracts["poolV1"]?.wasmHash ?? "", "poolV1" as const]])
    )
    const pool = Either.getOrThrow(Either.flatMap(gated, (known) => poolState(recording.view(call.state), known, recording.user)))
    const requests = Either.getOrThrow(vec(Request).decode(scVal(call.args[3] ?? "")))
    assert(pool !== null)
    const ours = submit(pool, recording.user, requests)
    assert.deepStrictEqual(texts(ours.args), [...call.args])
    assert.strictEqual(authOf(call).length, 1)
    assert.isNull(authorizationProblem(ours, recording.user, authOf(call)))
  })
})
