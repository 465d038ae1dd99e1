import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import { heldAsset } from "../../src/ledger/Asset.ts"
import { Draft } from "../../src/ledger/Draft.ts"
import { withFields, withSponsorship } from "../../src/ledger/entries/Account.ts"
import { holds } from "../../src/ledger/entries/ClaimPredicate.ts"
import { LedgerFault } from "../../src/ledger/LedgerFault.ts"
import { requireAccount } from "../../src/ledger/Loaded.ts"
import { releasePoolUse } from "../../src/ledger/PoolShares.ts"
import { minBalance, reserveUnits } from "../../src/ledger/Reserves.ts"
import { assetOf, poolOf, poolParameters, shareOf, trust, xlm } from "./support/Bodies.ts"
import { idOf, World } from "./support/World.ts"

describe("what no ledger holds", () => {
  it("is a fault", () => {
    const world = new World()
    const owner = world.account()
    const entry = withSponsorship(withFields(world.get(owner), { numSubEntries: 1 }), { numSponsored: 4 })
    const relative = xdr.ClaimPredicate.claimPredicateBeforeRelativeTime(1n)
    const draft = Draft.of(world.state)
    const loaded = requireAccount(draft, idOf(owner))
    loaded.erase()
    const unused = new World()
    const [issuer, holder] = [unused.account(), unused.account()]
    const [usd, eur] = [assetOf(issuer), assetOf(issuer, "EUR")]
    unused.succeed(holder, [trust(usd), trust(eur)])
    const pair = poolParameters(usd, eur).constantProduct
    const settings = xdr.LedgerEntryData.configSetting(xdr.ConfigSettingEntry.configSettingContractMaxSizeBytes(1))
    const faults: Readonly<Record<string, () => unknown>> = {
      "more reserve is sponsored than needed": () => minBalance(world.header, entry),
      "configSetting entries take no reserve": () => reserveUnits(settings),
      "a pool share is not an asset of its own": () => heldAsset(shareOf(xlm, assetOf(owner))),
      "a negation of nothing": () => holds(xdr.ClaimPredicate.claimPredicateNot(null), 1n),
      "a stored predicate counts from its creation": () => holds(relative, 1n),
      [`${loaded.id} is gone`]: () => loaded.current,
      "the account is missing": () => requireAccount(draft, idOf(owner)),
      "the asset trustline of a pool share is missing": () => releasePoolUse(draft, idOf(holder), pair, poolOf(usd, eur)),
      "the trustline is used by no pool share": () => releasePoolUse(Draft.of(unused.state), idOf(holder), pair, poolOf(usd, eur)),
      "the pool is missing": () => releasePoolUse(draft, idOf(issuer), pair, poolOf(usd, eur))
    }
    for (const [message, work] of Object.entries(faults)) assert.throws(work, LedgerFault, message)
    assert.strictEqual(minBalance(world.header, withSponsorship(entry, { numSponsored: 3 })), 0n)
  })
})
