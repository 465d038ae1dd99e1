import { assert, describe, it } from "@effect/vitest"
import { xdr } from "@stellar/stellar-sdk"
import {
  AccountFlag,
  extensionsOf,
  hasFlag,
  liabilitiesOf,
  newAccount,
  noLiabilities,
  sponsorshipOf,
  withFields,
  withLiabilities,
  withSequence,
  withSigners,
  withSponsorship
} from "../../../src/ledger/entries/Account.ts"
import { signerKeyOf } from "../support/Bodies.ts"
import { idOf, World } from "../support/World.ts"

const world = new World()
const [owner, second, third] = [world.account(), world.account(), world.account()]
const sponsor = idOf(third)
const signers = [second, third].map((pair) => new xdr.Signer({ key: signerKeyOf(pair), weight: 1 }))
const bare = newAccount(idOf(owner), 70n, 9n)
const signed = withFields(bare, { signers, numSubEntries: 2 })
const liabilities = new xdr.Liabilities({ buying: 3n, selling: 4n })
const unsponsored = { numSponsored: 0, numSponsoring: 0, signerSponsors: [null, null] }

describe("an account", () => {
  it("is made with a master key of weight one, and with nothing else", () => {
    const { accountId, ext, thresholds, ...rest } = bare
    assert.deepStrictEqual([accountId, Array.from(new Uint8Array(thresholds.value)), ext.type], [idOf(owner), [1, 0, 0, 0], "v0"])
    assert.deepStrictEqual(
      { ...rest, homeDomain: String(rest.homeDomain) },
      { balance: 70n, seqNum: 9n, numSubEntries: 0, inflationDest: null, flags: 0, homeDomain: "", signers: [] }
    )
  })

  it("has each flag or not", () => {
    assert.deepStrictEqual(AccountFlag, { authRequired: 1, authRevocable: 2, authImmutable: 4, clawbackEnabled: 8 })
    for (const flag of Object.values(AccountFlag)) {
      assert.isTrue(hasFlag(withFields(bare, { flags: flag }), flag))
      assert.isFalse(hasFlag(withFields(bare, { flags: 15 - flag }), flag))
    }
  })
})

describe("the extensions of an account", () => {
  it("are nothing, for one without them", () => {
    assert.deepStrictEqual(extensionsOf(signed), { liabilities: noLiabilities, sponsorship: undefined, sequence: undefined })
    assert.deepStrictEqual([noLiabilities.buying, noLiabilities.selling], [0n, 0n])
    assert.strictEqual(liabilitiesOf(signed), noLiabilities)
    assert.deepStrictEqual(sponsorshipOf(signed), unsponsored)
  })

  it("hold what offers bind", () => {
    const bound = withLiabilities(signed, liabilities)
    assert.deepStrictEqual(extensionsOf(bound), { liabilities, sponsorship: undefined, sequence: undefined })
    assert.deepStrictEqual(liabilitiesOf(bound), liabilities)
    assert.deepStrictEqual(sponsorshipOf(bound), unsponsored)
  })

  it("hold reserves that are sponsored, one field at a time", () => {
    const once = withSponsorship(withLiabilities(signed, liabilities), { numSponsored: 5 })
    assert.deepStrictEqual(extensionsOf(once), {
      liabilities,
      sponsorship: { ...unsponsored, numSponsored: 5 },
      sequence: undefined
    })
    const twice = withSponsorship(once, { numSponsoring: 6, signerSponsors: [null, sponsor] })
    assert.deepStrictEqual(sponsorshipOf(twice), { numSponsored: 5, numSponsoring: 6, signerSponsors: [null, sponsor] })
    assert.deepStrictEqual(extensionsOf(withLiabilities(twice, noLiabilities)).sponsorship, sponsorshipOf(twice))
  })

  it("hold when the sequence number moved, beside what was there, and keep it", () => {
    const mark = { seqLedger: 11, seqTime: 12n }
    const moved = withSequence(withLiabilities(signed, liabilities), 10n, mark)
    assert.strictEqual(moved.seqNum, 10n)
    assert.deepStrictEqual(extensionsOf(moved), { liabilities, sponsorship: unsponsored, sequence: mark })
    const sponsored = withSponsorship(moved, { numSponsored: 5 })
    assert.deepStrictEqual(extensionsOf(sponsored), { liabilities, sponsorship: { ...unsponsored, numSponsored: 5 }, sequence: mark })
    assert.deepStrictEqual(extensionsOf(withLiabilities(sponsored, noLiabilities)).sequence, mark)
    const again = withSequence(sponsored, 11n, { seqLedger: 21, seqTime: 22n })
    assert.deepStrictEqual(extensionsOf(again), {
      liabilities,
      sponsorship: { ...unsponsored, numSponsored: 5 },
      sequence: { seqLedger: 21, seqTime: 22n }
    })
  })

  it("keep the sponsors of signers in step with them, where there are any sponsors", () => {
    const [, last] = signers
    const alone = withSigners(signed, [last ?? assert.fail()], [sponsor])
    assert.deepStrictEqual([alone.signers, alone.ext.type], [[last], "v0"])
    const kept = withSigners(withSponsorship(signed, { numSponsored: 1, signerSponsors: [null, sponsor] }), [last ?? assert.fail()], [
      sponsor
    ])
    assert.deepStrictEqual(kept.signers, [last])
    assert.deepStrictEqual(sponsorshipOf(kept), { numSponsored: 1, numSponsoring: 0, signerSponsors: [sponsor] })
  })
})
