import { assert, describe, it } from "@effect/vitest"
import { Keypair, StrKey } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import { ContractAddress } from "../../src/domain/Address.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import type { OfferedPoint } from "../../src/domain/Decision.ts"
import { losingDecisions, unconfirmed } from "../../src/http/mcp/Loss.ts"

const usd = Schema.decodeUnknownSync(AssetId)(`USD:${Keypair.random().publicKey()}`)
const token = Schema.decodeUnknownSync(ContractAddress)(StrKey.encodeContract(Buffer.from(Keypair.random().rawPublicKey())))
const id = "assets:unsellable"
const worthless = { symbol: null, lumens: null }

/** A point whose option gives up this much of an asset, and this much of a token where it is left. */
const point = (amount: string, units?: string): OfferedPoint => ({
  id,
  type: "assets",
  subject: "",
  required: true,
  answered: true,
  about: { kind: "assets", count: 2 },
  default: null,
  options: [{
    id: "return_to_issuer",
    effect: "destroys",
    needs: [],
    loses: [{ asset: usd, amount, ...worthless }, ...(units === undefined ? [] : [{ token, amount: units, ...worthless }])]
  }]
})

const chosen = losingDecisions([{ id, choice: "return_to_issuer" }])

/** Whether an agreement covers the amount that a point gives up now. */
const isCovered = (agreed: string, now: OfferedPoint): boolean =>
  unconfirmed({ decisionPoints: [now], unusedDecisions: [] }, chosen, [{ id, amount: agreed }]).length === 0

describe("an agreement to a loss", () => {
  const both = `100.0000000 ${usd}, 5000 ${token}`

  it("covers the same amounts, amounts that changed by one per cent, and what is left of several", () => {
    for (const now of [point("100.0000000", "5000"), point("101.0000000", "4950"), point("100.0000000")]) {
      assert.isTrue(isCovered(both, now), JSON.stringify(now.options))
    }
  })

  it("covers no other amount and nothing that it does not name", () => {
    for (const now of [point("101.0000001", "5000"), point("98.9999999", "5000"), point("100.0000000", "5051")]) {
      assert.isFalse(isCovered(both, now), JSON.stringify(now.options))
    }
    for (const agreed of ["", "unknown", "100.0000000", `1e2 ${usd}`, `100.0000000 ${usd}`, `-100 ${usd}, 5000 ${token}`, "all"]) {
      assert.isFalse(isCovered(agreed, point("100.0000000", "5000")), agreed)
    }
  })

  it("is needed where the plan shows no such point, unless the plan calls the decision unused", () => {
    const without = { decisionPoints: [], unusedDecisions: [] }
    assert.deepStrictEqual(unconfirmed(without, chosen, []).map(({ amount }) => amount), ["unknown"])
    assert.deepStrictEqual(unconfirmed({ ...without, unusedDecisions: [id] }, chosen, []), [])
  })
})

describe("losing decisions", () => {
  it("are those whose choice gives something up or sends it away", () => {
    const choices = [
      "convert_to_native",
      "i_control_this_address",
      "transfer_to_account",
      "forfeit",
      "top_up_then_revoke",
      "exit_without_rewards"
    ]
    const decisions = [...choices.map((choice) => ({ id: choice, choice })), null, 7, { id: 1, choice: "forfeit" }, {
      id: "x",
      choice: "toString"
    }]
    assert.deepStrictEqual(losingDecisions(decisions).map((one) => one.id), choices.slice(2))
  })

  it("are not those that leave later gifts behind up to one lumen each, as plans suggest", () => {
    const later = (maxLumensEach?: unknown) =>
      losingDecisions([{ id: "later", choice: "leave_what_came_later", params: { maxLumensEach } }])
    assert.isEmpty(later("1.0000000"))
    for (const most of ["1.0000001", "x", 1, undefined]) assert.lengthOf(later(most), 1)
  })
})
