import { assert, describe, it } from "@effect/vitest"
import { Asset, Keypair, Operation } from "@stellar/stellar-sdk"
import { Effect, FastCheck, Schema } from "effect"
import { atOnce } from "../../src/chain/pace/Turns.ts"
import { offeredPoint } from "../../src/close/answer/OfferedPoint.ts"
import { project } from "../../src/close/project/Projection.ts"
import { quotedWorth } from "../../src/close/project/Worth.ts"
import { offeredChoices } from "../../src/close/situation/Decisions.ts"
import { Choice, effectOf } from "../../src/domain/ChoiceEffect.ts"
import { OfferedPoint } from "../../src/domain/Decision.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { situationOf } from "../deep/support/ModelSituation.ts"
import { aShape, populate } from "../deep/support/RandomAccount.ts"
import { layer } from "../support/Layered.ts"
import { Buyer, Pair } from "./support/Accounts.ts"
import { pointOf } from "./support/Answering.ts"
import { plan } from "./support/Client.ts"
import { ownsUp } from "./support/OwningUp.ts"
import { Service } from "./support/Service.ts"

const effects: Readonly<Record<string, ReadonlyArray<string>>> = {
  sells: ["convert_to_native", "convert_through_contracts"],
  destroys: ["return_to_issuer", "i_accept_abandoning_issued_assets"],
  moves: ["transfer_to_account"],
  claims: ["claim", "add_trustline_then_claim"],
  exits: ["exit", "withdraw"],
  buys_and_exits: ["buy_repay_asset_then_exit"],
  gives_up_rewards: ["exit_without_rewards"],
  leaves_behind: [
    "forfeit",
    "acknowledge_forfeit",
    "acknowledge_residue",
    "leave_what_came_later",
    "i_accept_unread_claims",
    "i_accept_unread_positions"
  ],
  consents: ["i_control_this_address"],
  keeps: ["keep"],
  revokes: ["revoke"],
  moves_sponsorship: ["transfer_sponsorship"],
  pays_others: ["top_up_then_revoke"]
}

const encoded = Schema.encodeSync(OfferedPoint)

describe("the choices of all decisions", () => {
  it("have one effect each", () => {
    assert.sameMembers([...offeredChoices], [...Choice.literals])
    for (const [effect, choices] of Object.entries(effects)) {
      assert.sameMembers(Choice.literals.filter((choice) => effectOf(choice) === effect), [...choices], effect)
    }
  })

  it("say what they lose, whatever the account holds", () => {
    let offered = 0
    FastCheck.assert(
      FastCheck.property(aShape, (shape) => {
        const { cast, world } = populate(shape)
        const situation = situationOf(world.state, cast, new Map(), { feePayer: "source" })
        if (situation === null) return
        const { points } = atOnce(project(situation))
        const prices = quotedWorth(points)
        ownsUp({ decisionPoints: points.map((point) => encoded(offeredPoint(point, prices))) })
        offered += points.length
      }),
      { numRuns: 60 }
    )
    assert.isAbove(offered, 100)
  })
})

layer(Service.layer(), { excludeTestServices: true })("an option that loses something", (it) => {
  it.effect("lists it with what it would bring where that is quoted, and comes after those that lose nothing", () =>
    Effect.gen(function*() {
      const { on } = yield* Service
      const { destination, source } = yield* on(Pair())
      const issuer = Keypair.random()
      yield* on(fund("100", issuer))
      const [sold, unsold] = [new Asset("SOLD", issuer.publicKey()), new Asset("DUST", issuer.publicKey())]
      yield* on(Buyer(sold, "1000", "2"))
      yield* on(
        perform("two assets", {
          as: source,
          operations: [sold, unsold].map((asset) => Operation.changeTrust({ asset }))
        })
      )
      yield* on(
        perform("a payment of each", {
          as: issuer,
          operations: [sold, unsold].map((asset) => Operation.payment({ asset, amount: "10", destination: source.publicKey() }))
        })
      )
      const asked = yield* plan({ source: source.publicKey(), destination: destination.publicKey() })
      const optionsOf = (asset: Asset): ReadonlyArray<unknown> =>
        pointOf(asked, `asset:${asset.getCode()}-${asset.getIssuer()}`).options.map(({ effect, id, loses }) => [id, effect, loses])
      const lost = (asset: Asset, lumens: string | null) => [
        "return_to_issuer",
        "destroys",
        [{ asset: `${asset.getCode()}:${asset.getIssuer()}`, symbol: asset.getCode(), amount: "10.0000000", lumens }]
      ]
      const moved = ["transfer_to_account", "moves", undefined]
      assert.deepStrictEqual(optionsOf(sold), [["convert_to_native", "sells", undefined], moved, lost(sold, "5.0000000")])
      assert.deepStrictEqual(optionsOf(unsold), [moved, lost(unsold, null)])
    }))
})
