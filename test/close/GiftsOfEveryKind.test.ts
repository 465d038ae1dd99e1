import { assert } from "@effect/vitest"
import { Asset, Claimant, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import { lumen } from "../../src/ledger/Asset.ts"
import { i128 } from "../../src/ledger/soroban/Values.ts"
import { accountVal, callContract } from "../../src/sandbox/scenarios/CallContract.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { layer } from "../support/Layered.ts"
import { LendingSupply } from "../support/scenarios/LendingSupply.ts"
import { answersTo, echo, pointOf } from "./support/Answering.ts"
import { next, plan, refusal, submit } from "./support/Client.ts"
import { accountOf } from "./support/LedgerView.ts"
import { Service } from "./support/Service.ts"
import { signed } from "./support/Signing.ts"
import { sourcesService } from "./support/Sources.ts"

/** An account that lends to a pool and holds USDC. A stranger pays the reserves of its two data entries. */
const Popular = Effect.gen(function*() {
  const scene = yield* LendingSupply
  const { lender, source } = scene
  const stranger = Keypair.random()
  yield* fund("1000", stranger)
  yield* perform("the stranger has something to give", {
    as: lender,
    operations: [Operation.payment({ destination: stranger.publicKey(), asset: Asset.native(), amount: "10" })]
  })
  const own = { source: source.publicKey() }
  yield* perform("the stranger sponsors two entries of the account", {
    as: stranger,
    signedBy: [stranger, source],
    operations: [
      Operation.beginSponsoringFutureReserves({ sponsoredId: source.publicKey() }),
      Operation.manageData({ name: "first", value: "1", ...own }),
      Operation.manageData({ name: "second", value: "2", ...own }),
      Operation.endSponsoringFutureReserves(own)
    ]
  })
  return { ...scene, stranger }
})

const dust = "0.0000001"

/** Gives the account a little of every unsolicited gift: lumens, claimable balances, shares. */
const given = ({ comet, lender, source, stranger, usdc }: Effect.Effect.Success<typeof Popular>, turn: number) =>
  Effect.gen(function*() {
    const [destination, claimants] = [source.publicKey(), [new Claimant(source.publicKey())]]
    yield* perform("the stranger gives", {
      as: stranger,
      operations: [
        Operation.payment({ destination, asset: Asset.native(), amount: dust }),
        Operation.createClaimableBalance({ asset: Asset.native(), amount: dust, claimants }),
        Operation.createClaimableBalance({ asset: new Asset(`G${turn}`, stranger.publicKey()), amount: "1", claimants })
      ]
    })
    yield* perform("the lender gives what it has", {
      as: lender,
      operations: [Operation.createClaimableBalance({ asset: usdc, amount: dust, claimants })]
    })
    yield* callContract("the lender gives shares", {
      as: lender,
      contract: comet,
      fn: "transfer",
      args: [accountVal(lender), accountVal(source), i128(turn === 0 ? lumen : 1_000n)]
    })
  })

/** Pays more of an asset onto its trustline. */
const paidOnLine = ({ lender, source, usdc }: Effect.Effect.Success<typeof Popular>) =>
  perform("the lender pays", {
    as: lender,
    operations: [Operation.payment({ destination: source.publicKey(), asset: usdc, amount: dust })]
  })

/** The sponsor of an entry leaves its reserve to the account. */
const withdrawn = ({ source, stranger }: Effect.Effect.Success<typeof Popular>, name: string) =>
  perform("the stranger sponsors no longer", {
    as: stranger,
    operations: [Operation.revokeDataSponsorship({ account: source.publicKey(), name })]
  })

layer(sourcesService(1, {}, ["lend_1"]), { excludeTestServices: true })(
  "an account to which strangers give of every kind in every ledger",
  (it) => {
    it.effect("closes with the answers it gave first", () =>
      Effect.gen(function*() {
        const { on } = yield* Service
        const held = yield* on(Popular)
        yield* on(given(held, 0))
        const request = { source: held.source.publicKey(), destination: held.destination.publicKey() }
        const asked = yield* plan(request)
        const types = asked.decisionPoints.map(({ type }) => type)
        for (const type of ["asset", "claim", "position"]) assert.include(types, type)
        const decisions = [
          ...answersTo(asked, "convert_to_native", "claim", "acknowledge_forfeit", "forfeit"),
          echo(pointOf(asked, "later"), "leave_what_came_later")
        ]
        let failed = 0
        const covers: Array<ReadonlyArray<string>> = []
        for (let turn = 1; (yield* accountOf(held.source)) !== null; turn++) {
          assert.isBelow(turn, 8)
          if (turn === 1) yield* on(withdrawn(held, "first"))
          yield* on(paidOnLine(held))
          yield* on(given(held, turn))
          const { transactions: [transaction, ...more] } = yield* next({ ...request, decisions })
          assert.lengthOf(more, 0)
          yield* on(given(held, turn + 100))
          const envelope = yield* signed(transaction!, held.source)
          const isLast = transaction!.covers.includes("MERGE")
          // A payment onto a trustline between build and submit stays there: the transaction fails whole, and the next one includes it.
          if (isLast && failed++ === 0) {
            yield* on(paidOnLine(held))
            assert.deepInclude(yield* refusal("submit", { signedXdr: envelope }), { status: 422, code: "transaction_failed" })
            continue
          }
          yield* submit(envelope)
          covers.push(transaction!.covers)
        }
        assert.deepStrictEqual(covers[0], ["EXIT_POSITIONS"])
        assert.include(covers.at(-1) ?? [], "MERGE")
        assert.strictEqual(failed, 2)
        assert.strictEqual((yield* next({ ...request, decisions })).status, "complete")
      }), 240_000)
  }
)
