import { assert, describe, it } from "@effect/vitest"
import type { xdr } from "@stellar/stellar-sdk"
import {
  type ArgumentKind,
  builtInFunction,
  contractFunction,
  type ContractHost,
  type ContractModel,
  noContracts,
  registerContracts
} from "../../../src/ledger/soroban/Contract.ts"
import { addressVal, bool, bytes, i128, i32, string, symbol, u128, u32, u64, vec, voidVal } from "../../../src/ledger/soroban/Values.ts"
import { somewhere } from "./support/AssetWorld.ts"
import { ContractWorld } from "./support/ContractWorld.ts"
import { mismatch, refusalOf, trapped } from "./support/HostErrors.ts"

const missing = "HostError: Error(Value, UnexpectedSize)"

/** The host as a contract on a ledger sees it. */
const hostOf = (): ContractHost => {
  const seen: Array<ContractHost> = []
  const model: ContractModel = {
    functions: {
      look: contractFunction([], (host) => {
        seen.push(host)
        return voidVal
      })
    }
  }
  const world = new ContractWorld(model)
  world.read(world.account(), world.deploy(model), "look")
  return seen[0] ?? assert.fail("the contract was not called")
}

const host = hostOf()

/** A value of each kind, and what a function gets for it. */
const samples = [
  ["address", addressVal(somewhere), somewhere],
  ["i128", i128(-5n), -5n],
  ["u128", u128(5n), 5n],
  ["u32", u32(7), 7],
  ["i32", i32(-7), -7],
  ["u64", u64(9n), 9n],
  ["bool", bool(true), true],
  ["symbol", symbol("name"), "name"],
  ["string", string("text"), "text"],
  ["bytes", bytes(Uint8Array.of(1, 2)), Uint8Array.of(1, 2)],
  ["vec", vec(u32(1), u32(2)), [u32(1), u32(2)]],
  ["value", voidVal, voidVal]
] as const

/** Makes functions, which fail by an argument of another type, and by one that is absent. */
type Maker = readonly [title: string, make: typeof contractFunction, ofAnotherType: string, absent: string]

const makers: ReadonlyArray<Maker> = [
  ["built into the host", builtInFunction, mismatch, missing],
  ["of a compiled contract", contractFunction, trapped, trapped]
]

for (const [title, make, ofAnotherType, absent] of makers) {
  describe(`a function ${title}`, () => {
    /** The arguments that a function of these kinds gets. */
    const decoded = (kinds: ReadonlyArray<ArgumentKind>, ...given: ReadonlyArray<xdr.ScVal>): unknown => {
      const seen: Array<unknown> = []
      const fn = make(kinds, (_, args) => {
        seen.push(args)
        return voidVal
      })
      fn.run(host, given)
      return seen[0]
    }

    it("takes as many arguments as it names kinds", () => {
      const arities = [[], ["u32"], ["u32", "bool", "u32"]] as const
      assert.deepStrictEqual(arities.map((kinds) => make(kinds, () => voidVal).arity), [0, 1, 3])
    })

    it("gets the host and its arguments in their order, and answers for itself", () => {
      const fn = make(
        ["u32", "symbol", "u32"],
        (given, [first, name, second]) => vec(bool(given === host), u32(first), symbol(name), u32(second))
      )
      assert.deepStrictEqual(fn.run(host, [u32(1), symbol("two"), u32(3)]), vec(bool(true), u32(1), symbol("two"), u32(3)))
      assert.deepStrictEqual(make([], () => u32(4)).run(host, []), u32(4))
    })

    for (const [kind, value, expected] of samples) {
      it(`gets a value of kind ${kind} as what it stands for`, () => {
        assert.deepStrictEqual(decoded([kind], value), [expected])
      })
    }

    it("is refused an argument of any other type", () => {
      for (const [kind] of samples) {
        const outcomes = samples.map(([, value]) => refusalOf(() => decoded([kind], value)))
        const accepts = samples.map(([other]) => (kind === "value" || other === kind ? "success" : ofAnotherType))
        assert.deepStrictEqual(outcomes, accepts, kind)
      }
    })

    it("is refused with too few arguments", () => {
      assert.strictEqual(refusalOf(() => decoded(["value"])), absent)
      assert.strictEqual(refusalOf(() => decoded(["u32", "u32"], u32(1))), absent)
    })

    it("passes on its own failures and faults of the model as they are", () => {
      const failing = make(["u32"], (own, [code]) => own.fail(code))
      assert.strictEqual(refusalOf(() => failing.run(host, [u32(42)])), "HostError: Error(Contract, #42): failing with contract error")
      const unreadable = Object.defineProperty([], 0, {
        get: () => {
          throw new RangeError("no argument can be read")
        }
      })
      assert.throws(() => failing.run(host, unreadable), RangeError, "no argument can be read")
    })
  })
}

describe("registered contracts", () => {
  const [one, two, three]: readonly [ContractModel, ContractModel, ContractModel] = [
    { functions: {} },
    { functions: {}, instructions: 2 },
    { functions: {}, instructions: 3 }
  ]

  it("are found by each of their addresses and hashes", () => {
    const { find } = registerContracts([
      { model: one, addresses: ["C1", "C2"] },
      { model: two, wasmHashes: ["aa", "bb"] },
      { model: three, addresses: ["C3"], wasmHashes: ["cc"] }
    ])
    const asked = [["C1", "ff"], ["C2", "ff"], ["C3", "ff"], ["C9", "aa"], ["C9", "bb"], ["C9", "cc"]] as const
    assert.deepStrictEqual(asked.map(([address, hash]) => find(address, hash)?.instructions), [undefined, undefined, 3, 2, 2, 3])
    assert.strictEqual(find("C1", "ff"), one)
    assert.strictEqual(find("C2", "ff"), one)
  })

  it("are found by address before they are found by hash", () => {
    const { find } = registerContracts([{ model: two, wasmHashes: ["aa"] }, { model: one, addresses: ["C1"] }])
    assert.strictEqual(find("C1", "aa"), one)
    assert.strictEqual(find("C2", "aa"), two)
  })

  it("replace those registered before them", () => {
    const { find } = registerContracts([
      { model: one, addresses: ["C1"], wasmHashes: ["aa"] },
      { model: two, addresses: ["C1"], wasmHashes: ["aa"] }
    ])
    assert.strictEqual(find("C1", "bb"), two)
    assert.strictEqual(find("C2", "aa"), two)
  })

  it("are none where neither address nor hash is known", () => {
    const { find } = registerContracts([{ model: one, addresses: ["C1"], wasmHashes: ["aa"] }, { model: two }])
    assert.isUndefined(find("aa", "C1"))
    assert.isUndefined(registerContracts([]).find("C1", "aa"))
    assert.isUndefined(noContracts.find("C1", "aa"))
  })
})
