import { assert, describe, it } from "@effect/vitest"
import { Keypair } from "@stellar/stellar-sdk"
import { Either, FastCheck as fc } from "effect"
import type { Vault } from "../../../src/protocols/cdp1/Vault.ts"
import type { VaultKey } from "../../../src/protocols/cdp1/VaultKey.ts"
import { vaultBelow, walkLimit } from "../../../src/protocols/cdp1/VaultListWalk.ts"
import type { VaultList } from "../../../src/protocols/cdp1/VaultSettings.ts"

const owners = Array.from({ length: walkLimit + 20 }, () => Keypair.random().publicKey())

const keyAt = (place: number, index = BigInt(place) * 10n): VaultKey => ({
  account: owners[place] ?? assert.fail("too few owners"),
  denomination: "USD",
  index
})

/** A list of vaults in order, as the contract links them. */
const chain = (length: number): ReadonlyArray<Vault> =>
  Array.from(
    { length },
    (_, place) => ({ key: keyAt(place), next: place + 1 < length ? keyAt(place + 1) : null, collateral: 1n, debt: 1n })
  )

const listOf = (vaults: ReadonlyArray<Vault>, totalVaults = BigInt(vaults.length)): VaultList => ({
  lowest: vaults[0]?.key ?? null,
  totalVaults,
  minimumRatio: 11_000_000n,
  minimumDebt: 1n
})

/** Walks over these vaults, and counts the visited ones. */
const walk = (vaults: ReadonlyArray<Vault>, target: VaultKey, list = listOf(vaults)) => {
  let looked = 0
  const found = vaultBelow(list, target, ({ account, denomination }) => {
    looked += 1
    return Either.right(vaults.find(({ key }) => key.account === account && key.denomination === denomination) ?? null)
  })
  return { found, looked }
}

const faultOf = ({ found }: ReturnType<typeof walk>): string => Either.isLeft(found) ? found.left.fault : "found"

const replaced = (vaults: ReadonlyArray<Vault>, place: number, change: Partial<Vault>): ReadonlyArray<Vault> =>
  vaults.map((vault, at) => (at === place ? { ...vault, ...change } : vault))

/** A list, and a place in it other than the lowest. */
const placed = fc.integer({ min: 2, max: 60 }).chain((length) => fc.tuple(fc.constant(length), fc.integer({ min: 1, max: length - 1 })))

describe("the walk to the vault below", () => {
  it.prop("finds it in every sound list, looking at no more than the vaults below", [placed], ([[length, place]]) => {
    const { found, looked } = walk(chain(length), keyAt(place))
    assert.deepStrictEqual(found, Either.right(keyAt(place - 1)))
    assert.strictEqual(looked, place)
  })

  it.prop("the lowest has none, and nothing is read", [fc.integer({ min: 1, max: 60 })], ([length]) => {
    assert.deepStrictEqual(walk(chain(length), keyAt(0)), { found: Either.right(null), looked: 0 })
  })

  it.prop("ends in a cycle wherever it closes", [placed, fc.nat()], ([[length, end], seed]) => {
    // The target vault is not in the list: a link leads back before it.
    const vaults = replaced(chain(length), end - 1, { next: keyAt(seed % end) })
    const walked = walk(vaults.slice(0, end), keyAt(end), listOf(vaults, 1_000n))
    assert.strictEqual(faultOf(walked), "cyclic")
    assert.isAtMost(walked.looked, end)
  })

  it.prop("never looks at more vaults than the list says it has", [placed, fc.nat(80)], ([[length, place], total]) => {
    const walked = walk(chain(length), keyAt(place), listOf(chain(length), BigInt(total)))
    assert.isAtMost(walked.looked, total)
    assert.strictEqual(faultOf(walked), total >= place ? "found" : "oversized")
  })

  it.prop("fails at a broken link, whichever it is", [placed, fc.nat()], ([[length, place], seed]) => {
    const at = seed % place
    const sound = chain(length)
    assert.strictEqual(faultOf(walk(sound.filter((_, each) => each !== at), keyAt(place), listOf(sound))), "missing_link")
    assert.strictEqual(faultOf(walk(replaced(sound, at, { next: null }), keyAt(place))), "tail_reached")
    assert.strictEqual(faultOf(walk(replaced(sound, at, { key: keyAt(at, 7n) }), keyAt(place), listOf(sound))), "foreign_link")
    assert.strictEqual(
      faultOf(walk(replaced(sound, at, { next: { ...keyAt(at + 1), denomination: "EUR" } }), keyAt(place))),
      "foreign_link"
    )
  })

  it.prop("does not take an old index of the vault for the vault", [placed], ([[length, place]]) => {
    assert.strictEqual(faultOf(walk(chain(length), keyAt(place, 5n))), "foreign_link")
    assert.strictEqual(faultOf(walk(chain(length), keyAt(0, 5n))), "foreign_link")
  })

  it("an empty list, a vault above the end, and a list too long to walk", () => {
    assert.strictEqual(faultOf(walk([], keyAt(0))), "empty")
    assert.strictEqual(faultOf(walk(chain(5), keyAt(7))), "tail_reached")
    const long = chain(walkLimit + 10)
    assert.deepStrictEqual(walk(long, keyAt(walkLimit)).found, Either.right(keyAt(walkLimit - 1)))
    const walked = walk(long, keyAt(walkLimit + 1))
    assert.deepStrictEqual(walked.found, Either.left({ _tag: "ListFault", fault: "too_long", walked: walkLimit }))
  })

  it("what cannot be read ends it as what it is", () => {
    const unread = { _tag: "Unread", keys: [] } as const
    assert.deepStrictEqual(vaultBelow(listOf(chain(3)), keyAt(2), () => Either.left(unread)), Either.left(unread))
  })
})
