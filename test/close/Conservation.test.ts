import { assert, describe, it } from "@effect/vitest"
import { closesKeepValue } from "../deep/support/Conservation.ts"
import { closeOnModel, type Outcome } from "../deep/support/ModelClose.ts"
import { populate, type Shape } from "../deep/support/RandomAccount.ts"

/** Holds an asset that has a buyer, can claim another, and has almost no lumens of its own. */
const claimant: Shape = {
  lines: [{ amount: 100_0000000n, state: "authorized", patronPays: true, room: null }],
  wallets: [{ selling: 0, buying: 1, amount: 900_0000000n, n: 1, d: 1 }],
  offers: [],
  pools: [],
  data: [],
  claims: [{ asset: 2, amount: 5_0000000n, from: "maker", for: "source", when: "always" }],
  pays: [],
  ward: "rich",
  keys: "one",
  flags: "none",
  lumens: "some",
  sequence: "usual",
  destination: "there",
  issuer: "there",
  patronPays: false,
  bump: false,
  envelopeLimit: null,
  fees: { asked: 100n, charged: 100 },
  wishes: [0, 0, 0, 0, 0, 0]
}

const closed = (shape: Shape) => {
  const { cast, world } = populate(shape)
  return closeOnModel(world, cast, shape)
}

describe("an account that cannot afford the line of a claim", () => {
  it("claims once its disposals have brought the lumens, in the same transaction", () => {
    assert.deepStrictEqual(closed(claimant), { kind: "closed", transactions: 1 })
  })

  it("is told what it lacks where nothing brings any", () => {
    assert.deepStrictEqual(closed({ ...claimant, wallets: [] }), { kind: "blocked", reasons: ["insufficient_lumens"] })
    assert.deepStrictEqual(closed({ ...claimant, lines: [], wallets: [] }), { kind: "blocked", reasons: ["insufficient_lumens"] })
  })

  it("closes all the same when it forfeits the claim", () => {
    assert.deepStrictEqual(closed({ ...claimant, lines: [], wallets: [], wishes: [0, 1, 1, 1, 1, 1] }), { kind: "closed", transactions: 1 })
  })
})

describe("a pool share that comes back onto a full line whose issuer is gone", () => {
  const stuck: Shape = {
    ...claimant,
    lines: [
      { amount: 0n, state: "authorized", patronPays: false, room: null },
      { amount: 1n, state: "authorized", patronPays: false, room: null },
      { amount: 2n, state: "authorized", patronPays: false, room: 1n }
    ],
    wallets: [],
    pools: [{ a: 0, b: 3, x: 1n, y: 1n, share: 1n, holds: true }],
    claims: [],
    lumens: "plenty",
    issuer: "gone"
  }

  it("blocks the close as what would fail on the ledger", () => {
    assert.deepStrictEqual(closed(stuck), { kind: "blocked", reasons: ["projection_failed"] })
  })

  it("is told beside what blocks for another reason", () => {
    const besides = (other: string): Outcome => ({ kind: "blocked", reasons: [other, "projection_failed"] })
    assert.deepStrictEqual(closed({ ...stuck, keys: "none usable" }), besides("master_key_disabled"))
    assert.deepStrictEqual(closed({ ...stuck, flags: "immutable" }), besides("auth_immutable"))
    assert.deepStrictEqual(closed({ ...stuck, sequence: "far" }), besides("sequence_too_far"))
  })
})

describe("a claim whose lumens pay for the line of another", () => {
  it("closes where the ledger charges more than was asked: what operations need is not offered for their inclusion", () => {
    const gift = { from: "maker", for: "source", when: "always" } as const
    const shape: Shape = {
      ...claimant,
      lines: [],
      wallets: [],
      data: [false],
      claims: [{ ...gift, asset: 0, amount: 32_667n }, { ...gift, asset: 3, amount: 5_0000000n }],
      lumens: "few",
      fees: { asked: 1500n, charged: 10_000 }
    }
    assert.deepStrictEqual(closed(shape), { kind: "closed", transactions: 2 })
  })
})

describe("a claim whose line takes the last lumens", () => {
  const gift = { asset: 2, amount: 90_304n, from: "maker", for: "both", when: "always" } as const
  const poor: Shape = {
    ...claimant,
    lines: [],
    wallets: [],
    pools: [{ a: 0, b: 2, x: 4_461_813_765n, y: 43_503n, share: 5n, holds: false }],
    data: [true],
    claims: [
      { ...gift, asset: 3, from: "issuer", for: "other" },
      { ...gift, asset: 3, from: "issuer", for: "source", when: "briefly" },
      gift
    ],
    ward: "poor",
    fees: { asked: 100n, charged: 100 }
  }

  it("is made: fees of what is done already are not kept back for it", () => {
    assert.deepStrictEqual(closed({ ...poor, pays: ["data"], wishes: [0, 2, 4, 3, 1, 0] }), { kind: "closed", transactions: 1 })
  })

  it("is made: fees of what has no room in the same transaction are not kept back for it", () => {
    const claims: Shape["claims"] = [{ ...gift, asset: 3, from: "source", for: "source" }, { ...gift, from: "issuer" }]
    assert.deepStrictEqual(closed({ ...poor, claims, pays: ["line", "signer"], wishes: [0, 4, 2, 1, 1, 2] }), {
      kind: "closed",
      transactions: 2
    })
  })
})

describe("a pool share beside a line from which the issuer lets nothing leave", () => {
  const pooled = (share: bigint): Shape => ({
    ...claimant,
    lines: [{ amount: 2n, state: "authorized", patronPays: false, room: null }, {
      amount: 1n,
      state: "maintain",
      patronPays: false,
      room: null
    }],
    wallets: [],
    pools: [{ a: 0, b: 2, x: 4_031_806_893n, y: 8n, share, holds: true }],
    claims: [],
    lumens: "plenty"
  })

  it("is withdrawn where the pool pays nothing onto it", () => {
    assert.deepStrictEqual(closed(pooled(36_376n)), { kind: "closed", transactions: 2 })
  })

  it("blocks where something would be stuck there", () => {
    assert.deepStrictEqual(closed(pooled(1n)), { kind: "blocked", reasons: ["trustline_deauthorized"] })
  })
})

describe("random accounts on the ledger model", () => {
  it("close with nothing lost, or are refused for a reason that is true", () => closesKeepValue(250))
})
