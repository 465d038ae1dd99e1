import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { codesOf } from "../../src/protocols/amm1/Code.ts"
import { poolCode } from "../../src/protocols/amm3/Code.ts"
import { ProtocolCode, WasmHash } from "../../src/registry/ContractAddresses.ts"
import mainnet from "../../src/registry/contracts.mainnet.json" with { type: "json" }

const listed = (code: unknown) => Schema.decodeUnknownSync(ProtocolCode)(code)

const oldSharesPool = WasmHash.make("13b158655e40396957537bf1c528c6542b315930c1c9e0df640f57293c8af2ca")

describe("code that runs on mainnet", () => {
  it("of amm_1 is left and traded through, but for early concentrated pools, which are left alone", () => {
    const codes = codesOf(listed(mainnet.code.amm_1), false)
    const early = "8875f0c770fb26d3053648856732a649936aed5db246845fa209f9032001b208"
    assert.isTrue(codes.constantProductPool.known.has("ae0da5a84b15805c5c7931ac567a8d1b34be3f26b483993d9ff80cb2c3de9852"))
    assert.isTrue(codes.stablePool.known.has("f1077e0b77da5e62d596e13aeae4160104cad99e7ef7f3183a6c9b6ec9e747cd"))
    assert.deepStrictEqual([codes.concentratedPool.known.has(early), codes.tradedConcentratedPool.has(early)], [true, false])
    assert.isTrue([...codes.tradedConcentratedPool.keys()].every((hash) => codes.concentratedPool.known.has(hash)))
  })

  it("of amm_3 takes six arguments, and a pool that pays for shares it had before is known to no list", () => {
    const { pool } = poolCode(listed(mainnet.code.amm_3), false)
    assert.strictEqual(pool.get("167ab414a226427de34c19947ef9c5cf38c6c0ed91ecf9392f7cef3278ff506c"), "sixArgumentPool")
    assert.isFalse(pool.has(oldSharesPool))
    assert.strictEqual(poolCode({ sixArgumentPool: [oldSharesPool] }, false).pool.size, 0)
  })
})
