import { assert, describe, it } from "@effect/vitest"
import { Keypair, StrKey } from "@stellar/stellar-sdk"
import { Schema } from "effect"
import type { Acceptance } from "../../src/domain/Acceptance.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import { lumen, type Stroops, stroops } from "../../src/domain/Amount.ts"
import { AssetId } from "../../src/domain/Asset.ts"
import type { OfferedPoint } from "../../src/domain/Decision.ts"
import { losingDecisions, offeredLosses, unconfirmed } from "../../src/http/mcp/Loss.ts"

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

const ledger = 100_000

const planWith = (...decisionPoints: ReadonlyArray<OfferedPoint>) => ({
  decisionPoints,
  snapshot: { ledger, sequence: "1", readAt: "" },
  status: "ready" as const,
  unusedDecisions: []
})

const request = { decisions: [{ id, choice: "return_to_issuer" }] }

/** Whether an agreement covers the amount that a point gives up now. */
const isCovered = (agreed: string, now: OfferedPoint): boolean => unconfirmed(planWith(now), request, [{ id, amount: agreed }]).length === 0

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

  it("is needed where the plan shows no such point, unless the plan calls the decision unused or the account is closed", () => {
    assert.deepStrictEqual(unconfirmed(planWith(), request, []).map(({ amount }) => amount), ["unknown"])
    assert.isEmpty(unconfirmed({ ...planWith(), unusedDecisions: [id] }, request, []))
    assert.isEmpty(unconfirmed({ ...planWith(), status: "complete" }, { ...request, accept: acceptance({ ledger: 1 }) }, []))
  })

  it("to send something away covers the address that it names, and no other", () => {
    const asset: OfferedPoint = {
      ...point("100.0000000"),
      id: `asset:${usd}`,
      type: "asset",
      about: { kind: "asset", asset: usd, amount: "100.0000000" },
      options: [{ id: "transfer_to_account", effect: "moves", needs: ["destination"] }]
    }
    const [friend, thief] = [Keypair.random().publicKey(), Keypair.random().publicKey()]
    const missing = (destination: string, amount: string) =>
      unconfirmed(planWith(asset), { decisions: [{ id: asset.id, choice: "transfer_to_account", params: { destination } }] }, [{
        id: asset.id,
        amount
      }])
    const loss = missing(friend, "")[0] ?? assert.fail("nothing is missing")
    assert.strictEqual(loss.amount, `100.0000000 ${usd} to ${friend}`)
    assert.isEmpty(missing(friend, loss.amount))
    assert.isEmpty(missing(friend, `100.5000000 ${usd} to ${friend}`))
    for (const agreed of [`100.0000000 ${usd} to ${thief}`, `100.0000000 ${usd}`, `100.0000000 ${usd} to unknown`]) {
      assert.lengthOf(missing(friend, agreed), 1, agreed)
    }
    assert.include(missing(thief, loss.amount)[0]?.ask, `to the address ${thief}`)
    // The option names no address, so that no question about it can stand in a plan.
    assert.isEmpty(offeredLosses(planWith(asset)))
  })
})

const acceptance = (given: { readonly ledger?: number; readonly maxLumensEach?: Stroops } = {}): Acceptance => ({
  minReceivedLumens: stroops(0n),
  ledger,
  had: [],
  ...given
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
    assert.deepStrictEqual(losingDecisions({ decisions }, ledger).map((one) => one.id), choices.slice(2))
  })

  it("are not those that leave later gifts behind up to one lumen each, as plans of the last day suggest", () => {
    const later = (maxLumensEach?: unknown, since: unknown = ledger) =>
      losingDecisions({
        decisions: [{ id: "later", choice: "leave_what_came_later", params: { ledger: since, had: [], maxLumensEach } }]
      }, ledger)
    for (const since of [ledger, ledger + 5, ledger - 17_280]) assert.isEmpty(later("1.0000000", since))
    for (const most of ["1.0000001", "x", 1, undefined]) assert.lengthOf(later(most), 1)
    for (const since of [1, ledger - 17_281, ledger + 17_281, String(ledger), null]) assert.lengthOf(later("1.0000000", since), 1)
  })

  it("are what a request accepts to leave behind, unless a plan of the last day suggests it or a decision speaks of it", () => {
    const accepted = (given: Parameters<typeof acceptance>[0], decisions?: ReadonlyArray<unknown>) =>
      losingDecisions({ accept: acceptance(given), ...(decisions && { decisions }) }, ledger).map((one) => [one.id, one.choice])
    for (const given of [{}, { maxLumensEach: stroops(lumen) }, { ledger: ledger - 17_280 }]) assert.isEmpty(accepted(given))
    for (const given of [{ ledger: 1 }, { maxLumensEach: stroops(lumen + 1n) }]) {
      assert.deepStrictEqual(accepted(given), [["later", "leave_what_came_later"]])
    }
    const later = { id: "later", choice: "leave_what_came_later", params: { ledger, had: [], maxLumensEach: "1" } }
    assert.isEmpty(accepted({ ledger: 1 }, [later]))
  })
})
