import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Answers } from "../../src/close/situation/Answers.ts"
import { laterAnswerIn } from "../../src/close/situation/LaterGifts.ts"
import { claimCandidates, type OpenClaim } from "../../src/close/situation/OpenClaims.ts"
import { stroops } from "../../src/domain/Amount.ts"
import { AssetId, dashed, native } from "../../src/domain/Asset.ts"
import type { Decision } from "../../src/domain/Decision.ts"
import { BalanceId } from "../../src/domain/Ledger.ts"

const issuer = Keypair.random().publicKey()
const assets = Array.from({ length: 1200 }, (_, at) => AssetId.make(`A${at}:${issuer}`))

const claim = (asset: AssetId, at: number): OpenClaim => ({
  balance: { id: BalanceId.make(at.toString(16).padStart(72, "0")), asset, amount: stroops(1n), claimants: [], sponsor: null },
  entryId: String(at),
  modified: at,
  clawback: false,
  spans: [{ start: 0n, end: null }]
})

const inputWith = (...given: ReadonlyArray<Decision>) => {
  const answers = new Answers(given)
  return { answers, later: laterAnswerIn(answers) } as unknown as Parameters<typeof claimCandidates>[0]
}

describe("claimable balances of very many assets", () => {
  const claims = [...assets.map(claim).toReversed(), claim(native, 5000)]
  const [oldest, newest] = [assets.slice(0, 200), assets.slice(200)]

  it("are looked at one by one where they are lumens, held, named, or among the two hundred oldest", () => {
    const [held, named] = [newest[5]!, newest[6]!]
    const found = claimCandidates(inputWith({ id: `claims:${dashed(named)}`, choice: "claim" }), claims, [{ asset: held }])
    assert.sameMembers([...found], [native, held, named, ...oldest])
  })

  it("are all looked at as long as they are few, which those that came later are not counted among", () => {
    assert.strictEqual(claimCandidates(inputWith(), claims.slice(0, 1000), []).size, 1000)
    const leaving: Decision = { id: "later", choice: "leave_what_came_later", params: { ledger: 899, had: [] } }
    assert.sameMembers([...claimCandidates(inputWith(leaving), claims, [])], assets.slice(0, 900))
  })
})
