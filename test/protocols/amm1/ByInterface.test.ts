import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import { AccountAddress } from "../../../src/domain/Address.ts"
import { newEntry } from "../../../src/ledger/entries/LedgerEntry.ts"
import { decodePlaces } from "../../../src/protocols/Place.ts"
import { ammLedgerOf } from "../../sandbox/contracts/Amm1Replay.ts"
import { amm1Of, codeIn, contractNamed, foundOn, recordedAmm1, viewOver } from "../support/Amm1Ledger.ts"
import { codeEntry, specOf } from "../support/Declared.ts"
import { address, amounts, declaredPool, i128, u128 } from "../support/DeclaredPool.ts"
import { exitIn, terms } from "../support/Leaving.ts"

const recording = recordedAmm1("amm_1")
const user = AccountAddress.make(recording.user)
const code = codeIn(recording)
const known = { router: code["router"] ?? assert.fail("no router") }

const shareToken = specOf({ balance: [address], burn: [address, i128], mint: [address, i128] })

const settling = [address, address, u128, u128]
const gauge = specOf({ claim: settling, get_user_reward: settling, get_reward_token: [] })

const hashOf = (name: string): string => recording.contracts[name]?.wasmHash ?? assert.fail(`no ${name}`)

/** The recorded ledger, with declarations of the code of three contracts. */
const declaring = (withdraw: ReadonlyArray<xdr.ScSpecTypeDef>) => {
  const declared = [["cpPool", declaredPool(withdraw)], ["cpPoolShare", shareToken], ["gauge", gauge]] as const
  const entries = declared.map(([name, spec]) => newEntry(codeEntry(hashOf(name), spec)))
  return viewOver(recording, ammLedgerOf(recording, "cpRewarded").set(entries))
}

describe("pools whose code is not listed", () => {
  it("are known by what they declare, which is said of them, and pinned in the call", () => {
    const view = declaring([address, u128, amounts])
    const protocol = foundOn(amm1Of(recording, { code: known, byInterface: true }), view)
    const { positions: [position], unrecognized } = decodePlaces(protocol.places, user, view)
    assert.isEmpty(unrecognized)
    assert(position !== undefined)
    assert.deepStrictEqual(position.knownByInterface, [contractNamed(recording, "cpPool"), contractNamed(recording, "cpPoolShare")])
    const exit = exitIn(protocol, position, { user, view, ...terms(view), spendable: () => 0n, withoutRewards: false })
    assert(exit._tag === "Calls")
    assert.deepStrictEqual(exit.calls.map((call) => call.function), ["claim", "gauges_claim", "withdraw"])
    assert.deepStrictEqual(exit.calls.at(-1)?.codeBelow, [hashOf("cpPoolShare")])
  })

  it("are not, where a function takes other arguments, or where that is switched off", () => {
    const other = declaring([address, i128, amounts])
    const same = declaring([address, u128, amounts])
    for (const [view, byInterface] of [[other, true], [same, false]] as const) {
      const protocol = foundOn(amm1Of(recording, { code: known, byInterface }), view)
      const { positions, unrecognized } = decodePlaces(protocol.places, user, view)
      assert.isEmpty(positions)
      assert.deepStrictEqual(unrecognized.map(({ contract }) => contract), [contractNamed(recording, "cpPool")])
    }
  })
})
