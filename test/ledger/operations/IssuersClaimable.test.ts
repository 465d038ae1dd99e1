import { assert, it } from "@effect/vitest"
import { isBalanceClawbackEnabled } from "../../../src/ledger/entries/ClaimableBalance.ts"
import { keyOfClaimableBalance } from "../../../src/xdr/LedgerKeys.ts"
import { assetOf, claimant, clawBackBalance, setApart, setOptions } from "../support/Bodies.ts"
import { codeAt, World } from "../support/World.ts"

/** A claimable balance of an issuer's own asset, under these flags of its account, and the result of a clawback. */
const setApartBy = (flags: number) => {
  const world = new World()
  const [issuer, taker] = [world.account(), world.account()]
  if (flags !== 0) world.succeed(issuer, [setOptions({ setFlags: flags })])
  const { result } = world.succeed(issuer, [setApart(assetOf(issuer), 10n, claimant(taker))]).result
  const [made] = result.type === "txSuccess" ? result.results : []
  const code = made?.type === "opInner" ? made.tr.value : undefined
  const id = code?.type === "createClaimableBalanceSuccess" ? code.balanceId : assert.fail("nothing was set apart")
  const entry = world.state.get(keyOfClaimableBalance(id))?.data
  const balance = entry?.type === "claimableBalance" ? entry.claimableBalance : assert.fail("no claimable balance")
  return {
    clawable: isBalanceClawbackEnabled(balance),
    ext: balance.ext.type,
    clawedBack: codeAt(world.apply(issuer, [clawBackBalance(id)]))
  }
}

it("what an issuer sets apart of its own asset can be clawed back exactly where its account says so", () => {
  const [revocable, clawback] = [2, 8]
  assert.deepStrictEqual([0, revocable, revocable | clawback].map(setApartBy), [
    { clawable: false, ext: "v0", clawedBack: "clawbackClaimableBalanceNotClawbackEnabled" },
    { clawable: false, ext: "v0", clawedBack: "clawbackClaimableBalanceNotClawbackEnabled" },
    { clawable: true, ext: "v1", clawedBack: "clawbackClaimableBalanceSuccess" }
  ])
})
