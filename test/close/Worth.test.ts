import { assert, describe, it } from "@effect/vitest"
import { Address, Keypair } from "@stellar/stellar-sdk"
import { quotedWorth, valued, valueItems, type Worth, worthIn } from "../../src/close/project/Worth.ts"
import { atomicGroup, type PlannedStep } from "../../src/close/situation/AtomicGroup.ts"
import { DecisionId } from "../../src/close/situation/DecisionId.ts"
import { ContractAddress } from "../../src/domain/Address.ts"
import { largestAmount, stroops } from "../../src/domain/Amount.ts"
import { AssetId, native } from "../../src/domain/Asset.ts"
import type { ValueItem } from "../../src/domain/Value.ts"

const issuer = Keypair.random().publicKey()
const [usd, eur] = ["USD", "EUR"].map((code) => AssetId.make(`${code}:${issuer}`)) as [AssetId, AssetId]
const token = ContractAddress.make(Address.contract(Buffer.alloc(32, 1)).toString())

/** A step that pays and takes so much. */
const step = (
  pays: NonNullable<PlannedStep["moves"]>["pays"],
  takes: typeof pays,
  type: PlannedStep["type"] = "HANDLE_ASSETS"
): PlannedStep => ({
  type,
  title: "",
  description: "",
  operations: [],
  moves: { pays, takes }
})

const lumens = (units: bigint) => ({ of: native, units })

/** Worth by the sales of one transaction. */
const worthOf = (...steps: ReadonlyArray<PlannedStep>): Worth => worthIn([{ groups: [atomicGroup(steps)] }])

describe("what something is worth by the sales of a close", () => {
  it("is its share of all that its sales bring, and lumens are worth themselves", () => {
    const worth = worthIn([
      { groups: [atomicGroup([step([lumens(30n)], [{ of: usd, units: 10n }])])] },
      {
        groups: [
          atomicGroup([step([lumens(5n)], [{ of: usd, units: 4n }]), step([lumens(8n)], [{ of: token, units: 2n }], "HANDLE_TOKENS")])
        ]
      }
    ])
    assert.deepStrictEqual([worth({ of: usd, units: 14n }), worth({ of: usd, units: 7n }), worth({ of: usd, units: 3n })], [35n, 17n, 7n])
    assert.deepStrictEqual([worth({ of: token, units: 1n }), worth({ of: native, units: 9n }), worth({ of: eur, units: 1n })], [
      4n,
      9n,
      null
    ])
  })

  it("is not told by steps that sell nothing for lumens alone", () => {
    const sold = { of: usd, units: 10n }
    const others = [
      step([lumens(30n)], [sold], "EXIT_POSITIONS"),
      step([lumens(30n)], []),
      step([], [sold]),
      step([{ of: eur, units: 30n }], [sold]),
      step([lumens(30n), { of: eur, units: 1n }], [sold]),
      step([lumens(30n)], [sold, { of: eur, units: 1n }]),
      step([lumens(30n), { of: eur, units: 1n }], [sold, { of: eur, units: 1n }]),
      step([lumens(30n)], [lumens(10n)]),
      { type: "HANDLE_ASSETS" as const, title: "", description: "", operations: [] }
    ]
    for (const one of others) assert.isNull(worthOf(one)(sold))
  })
})

type Point = Parameters<typeof quotedWorth>[0][number]

const option = (receive: bigint | null, amount?: string): Point["options"][number] => ({
  ...(amount === undefined ? {} : { params: { amount } }),
  ...(receive === null ? {} : { quote: { receive: stroops(receive) } })
})

const point = (id: string, ...options: Point["options"]): Point => ({ id, options })

describe("what something is worth by the options of a plan", () => {
  it("is its share of the best sale that they quote", () => {
    const worth = quotedWorth([
      point(DecisionId.asset(usd), option(40n, "0.0000010"), option(60n, "0.0000020"), option(60n, "0.0000010"), option(null, "0.0000001")),
      point(DecisionId.token(token), option(9n, "3"))
    ])
    assert.deepStrictEqual([worth({ of: usd, units: 20n }), worth({ of: usd, units: 1n }), worth({ of: token, units: 2n })], [60n, 3n, 6n])
  })

  it("is not known without a quote of more than nothing for more than nothing", () => {
    for (const one of [option(null, "1"), option(0n, "1"), option(5n), option(5n, "0"), option(5n, "much")]) {
      assert.isNull(quotedWorth([point(DecisionId.asset(usd), one)])({ of: usd, units: 1n }))
    }
    assert.isNull(quotedWorth([point("destination:x", option(5n, "1"))])({ of: usd, units: 1n }))
  })
})

const item = (more: Partial<ValueItem>): ValueItem => ({ asset: usd, symbol: "USD", amount: "0.0000010", lumens: null, ...more })

describe("a list of values", () => {
  const worth: Worth = ({ of, units }) => {
    if (of === usd) return 3n * units
    if (of === token) return largestAmount + 1n
    return of === native ? units : null
  }

  it("names what each is worth, where it did not already, and the dearest first", () => {
    const own = stroops(31n)
    assert.deepStrictEqual(
      valued([item({ asset: eur }), item({}), item({ lumens: own }), item({ asset: native })], worth).map((
        { asset, lumens: told }
      ) => [asset, told]),
      [[usd, own], [usd, stroops(30n)], [eur, null], [native, null]]
    )
  })

  it("does not name more lumens than there can be", () => {
    const { asset: _, ...bare } = item({ amount: "2", token })
    assert.isNull(valued([bare], worth)[0]!.lumens)
    assert.strictEqual(valued([bare], () => largestAmount)[0]!.lumens, largestAmount)
    assert.isNull(valued([{ symbol: null, amount: "1", lumens: null }], () => 1n)[0]!.lumens)
  })

  it("has twenty at most", () => {
    const many = Array.from({ length: 25 }, (_, at) => item({ lumens: stroops(BigInt(at)) }))
    assert.deepStrictEqual(valued(many, worth).map(({ lumens: told }) => Number(told)), Array.from({ length: 20 }, (_, at) => 24 - at))
  })

  it("is made of amounts, with what people call them", () => {
    const names = () => ({ symbol: "TOK", decimals: 3 })
    assert.deepStrictEqual(valueItems([{ of: usd, units: 10n }, { of: token, units: 12n }, { of: eur, units: 1n }], names, worth), [
      { asset: usd, symbol: "USD", amount: "0.0000010", lumens: stroops(30n) },
      { token, symbol: "TOK", amount: "12", lumens: null },
      { asset: eur, symbol: "EUR", amount: "0.0000001", lumens: null }
    ])
  })
})
