import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { Either } from "effect"
import { problemIn } from "../../../src/close/leaving/simulation/FailedCall.ts"
import { authorizationProblem, type ContractCall } from "../../../src/operations/ContractCall.ts"
import type { CallProblem, Exit } from "../../../src/protocols/Exit.ts"
import type { HeldPosition } from "../../../src/protocols/HeldPosition.ts"
import { decodePlaces } from "../../../src/protocols/Place.ts"
import { i128, vec } from "../../../src/stellar/ScValCodec.ts"
import { exitIn } from "../support/Leaving.ts"
import { amount, authOf, type RecordedCall } from "../support/Recorded.ts"
import { decoderOf, pairsRecorded, withPairs } from "./RecordedPairs.ts"

/** The service's reaction to a recorded call: it builds the call, does not build it for this reason, or maps its failure to this. */
type Told =
  /** Byte for byte, but for the two floors. `swapped`: the recorded call names the two tokens in the other order. */
  | { readonly _tag: "Built"; readonly swapped?: boolean }
  | { readonly _tag: "NotBuilt"; readonly why: string }
  | { readonly _tag: "Means"; readonly problem: CallProblem["_tag"] | "words of the host" }

const built: Told = { _tag: "Built" }
const means = (problem: CallProblem["_tag"] | "words of the host"): Told => ({ _tag: "Means", problem })

const files: Readonly<Record<"amm_2" | "amm_2_more", Readonly<Record<string, Told>>>> = {
  amm_2: {
    "remove: deadline in the past": means("Changed"),
    "remove: deadline equal to the ledger time": means("Changed"),
    "remove: one share more than held": means("words of the host"),
    "remove: amount_a_min one above the payout": means("Changed"),
    "remove: amount_b_min one above the payout": means("Changed"),
    "remove: pair that does not exist": means("Unavailable"),
    "remove: one share only (burned amount rounds to zero)": means("Changed"),
    "remove: six arguments": means("words of the host"),
    "remove: liquidity as u64": means("words of the host"),
    "remove: somebody else as source, user must sign (authorisation recorded as an address entry)": {
      _tag: "NotBuilt",
      why: "the closing account is the source of its calls"
    },
    "exit 1: remove everything from xlm/usdc, minimums exactly the payout": built,
    "remove again with zero shares held": means("words of the host"),
    "exit 2: remove everything from usdc/eurc (tokens given in reverse order eurc, usdc)": built,
    "remove without a USDC trustline": means("CannotReceive")
  },
  amm_2_more: {
    "exit 1: remove everything of the pair with the plain token, minimums 1": built,
    "fees on: minimums as if nobody took a fee": means("Changed"),
    "exit 2: fees on, minimums exactly the payout": built,
    "exit 3: sole provider removes everything": { _tag: "Built", swapped: true },
    "dust: one share": means("Changed"),
    "USDC trustline that may only keep what it has": means("CannotReceive"),
    "USDC trustline without room": means("CannotReceive"),
    "pair.withdraw called directly: pays whatever shares the pair holds, asks nobody (dry)": means("words of the host")
  }
}

const texts = (args: ReadonlyArray<xdr.ScVal>) => args.map((arg) => arg.toXdr("base64"))

const xdrOf = (text: string): xdr.ScVal => xdr.ScVal.fromXdr(text, "base64")

const slippage = 70

/** Pairs in all states, and those of them with shares of the account. */
const counts = { amm_2: { states: 12, exits: 5 }, amm_2_more: { states: 27, exits: 7 } } as const

for (const file of ["amm_2", "amm_2_more"] as const) {
  const told = files[file]
  const recording = pairsRecorded(file)

  const decodedIn = (state: string) => {
    const view = recording.view(state)
    const protocol = withPairs(decoderOf(recording), view)
    return { protocol, view, decoded: decodePlaces(protocol.places, recording.user, view) }
  }

  const exitsIn = (state: string, deadline: bigint): ReadonlyArray<readonly [HeldPosition, Exit]> => {
    const { decoded, protocol, view } = decodedIn(state)
    return decoded.positions.map((position) => [
      position,
      exitIn(protocol, position, {
        user: recording.user,
        view,
        spendable: () => 0n,
        maxSlippageBps: slippage,
        deadline,
        withoutRewards: false
      })
    ])
  }

  const callsFor = (call: RecordedCall): ReadonlyArray<ContractCall> =>
    exitsIn(call.state, deadlineOf(call)).flatMap(([, exit]) => (exit._tag === "Calls" ? exit.calls : []))

  const deadlineOf = ({ args }: RecordedCall): bigint => {
    const last = args.at(-1)
    if (last === undefined) return 0n
    const value = xdrOf(last)
    return value.type === "scvU64" ? value.u64 : 0n
  }

  describe(`${file}: recorded states`, () => {
    it("are decoded as the contracts' own getters tell them, in every state", () => {
      let compared = 0
      for (const state of Object.keys(recording.states)) {
        const { decoded } = decodedIn(state)
        assert.deepStrictEqual(decoded.unrecognized, [])
        for (const [name, { address }] of Object.entries(recording.contracts)) {
          const fact = (of: string) => recording.fact(state, `${name}.${of}`)
          if (!name.startsWith("pair") || fact("userShares") === undefined) continue
          const held = amount(fact("userShares"))
          const found = decoded.positions.find(({ contract }) => contract === address)
          const tokens = [fact("token0"), fact("token1")]
          const seen: unknown = found?.rows.map((
            row
          ) => (row.protocol === "amm_2" && row.positionType === "lp" ? [row.shareAmount, row.tokens, found.pays] : row))
          assert.deepStrictEqual(seen, held === 0n ? undefined : [[`${held}`, tokens, tokens]], `${state}: ${name}`)
          compared++
        }
      }
      assert.strictEqual(compared, counts[file].states)
    })

    it("are left for what dry runs paid, with floors below it", () => {
      let compared = 0
      for (const state of Object.keys(recording.states)) {
        for (const [position, exit] of exitsIn(state, 9_999_999_999n)) {
          const name = Object.entries(recording.contracts).find(([, { address }]) => address === position.contract)?.[0] ?? ""
          const dry = recording.fact(state, `${name}.fullWithdrawal`)
          if (exit._tag !== "Calls") {
            assert.deepStrictEqual([exit._tag, dry, position.dust === undefined], ["Gone", undefined, false])
            compared++
            continue
          }
          const [{ args, payouts }] = exit.calls
          const expected = payouts.map((one) => one.expected)
          if (Array.isArray(dry)) assert.deepStrictEqual([...expected].toSorted(), dry.map(amount).toSorted(), `${state}: ${name}`)
          assert.deepStrictEqual(texts(args.slice(3, 5)), texts(expected.map((one) => i128.encode((one * 9_930n) / 10_000n || 1n))))
          assert.isUndefined(position.dust)
          compared++
        }
      }
      assert.strictEqual(compared, counts[file].exits)
    })
  })

  describe(`${file}: recorded calls`, () => {
    it("are all told apart", () => {
      assert.deepStrictEqual(recording.calls.map(({ name }) => name), Object.keys(told))
      assert.deepStrictEqual(
        recording.calls.filter(({ ok }) => !ok).map(({ name }) => name),
        Object.keys(told).filter((name) => told[name]?._tag === "Means")
      )
    })

    it.each(recording.calls)("$name", (call) => {
      const one = told[call.name]
      assert(one !== undefined)
      if (one._tag === "Built") {
        const [recordedFirst = "", recordedSecond = ""] = call.args
        const [, , , , ...rest] = call.args
        const order = one.swapped === true ? [recordedSecond, recordedFirst] : [recordedFirst, recordedSecond]
        const next = callsFor(call).find(({ args }) => texts(args.slice(0, 2)).join() === order.join())
        assert(next !== undefined, "nothing is built")
        assert.deepStrictEqual([next.contract, next.function], [call.contract, call.function])
        assert.deepStrictEqual(texts(next.args.slice(2, 3)), call.args.slice(2, 3))
        assert.deepStrictEqual(texts(next.args.slice(5)), rest.slice(1))
        const auth = authOf(call)
        assert.strictEqual(auth.length, 1)
        assert.isNull(authorizationProblem({ ...next, args: call.args.map(xdrOf) }, recording.user, auth))
        assert.isNotNull(authorizationProblem({ ...next, args: call.args.map(xdrOf), subCalls: [] }, recording.user, auth))
        // The declared payout equals the recorded one.
        const paid = Either.getOrThrow(vec(i128).decode(xdrOf(call.result ?? "")))
        assert.deepStrictEqual(next.payouts.map(({ expected }) => expected), one.swapped === true ? paid.toReversed() : paid)
        return
      }
      if (call.stateExact) {
        for (const next of callsFor(call)) assert.notDeepEqual([next.function, ...texts(next.args)], [call.function, ...call.args])
      }
      if (one._tag === "Means") {
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
          problemIn(decoderOf(recording), failed, `HostError: ${call.errorCode ?? ""}\n\nEvent log`)?._tag ?? "words of the host",
          one.problem
        )
      }
    })
  })
}
