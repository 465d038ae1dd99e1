import { assert, describe, it } from "@effect/vitest"
import { contractFunctions } from "../../src/operations/ContractFunctions.ts"
import { withPosition } from "../../src/verify/ContractBook.ts"
import { contractBookOf, contractsOf, verify, withContract } from "../../src/verify/Verifier.ts"
import { readCorpus } from "./support/Corpus.ts"

const corpus = readCorpus()

const stranger = "CAEQSCIJBEEQSCIJBEEQSCIJBEEQSCIJBEEQSCIJBEEQSCIJBEEQTSLM"

describe("the book of contracts", () => {
  it("comes with the package, for each network", () => {
    const book = contractsOf("mainnet")
    assert.include(Object.keys(book.protocols), "lend_1")
    assert.isAbove(book.tokens.length, 5)
    assert.notDeepEqual(book, contractsOf("testnet"))
    assert.isTrue(Object.values(contractsOf("testnet").protocols).every((roles) => typeof roles === "object"))
  })

  it("grows by contracts whose code it lists, in the role of that code, and by no others", () => {
    const book = contractsOf("mainnet")
    const [wasmHash = ""] = book.code["amm_1"]?.["constantProductPool"] ?? []
    assert.deepStrictEqual(withContract(book, { contract: stranger, wasmHash }).protocols["amm_1"]?.["pool"], [stranger])
    assert.deepStrictEqual(withContract(book, { contract: stranger, wasmHash: "ab".repeat(32) }), book)
  })

  it("grows by no router of which a service says that a position lies in it", () => {
    const book = contractsOf("mainnet")
    const [router = ""] = book.code["amm_1"]?.["router"] ?? []
    const [pool = ""] = book.code["amm_1"]?.["constantProductPool"] ?? []
    assert.deepStrictEqual(withPosition(book, { contract: stranger, wasmHash: router }), book)
    assert.deepStrictEqual(withPosition(book, { contract: stranger, wasmHash: pool }).protocols["amm_1"]?.["pool"], [stranger])
    assert.include(withContract(book, { contract: stranger, wasmHash: router }).protocols["amm_1"]?.["router"] ?? [], stranger)
  })

  it("gives a contract the role in which code of its kind is called, beside the contracts that it has", () => {
    const file = {
      protocols: {},
      tokens: [],
      code: {
        lend_1: { backstopV1: ["01"], backstopV2: ["02"], poolV2: ["03"] },
        amm_1: { constantProductPool: ["04"], stablePool: ["05"], concentratedPool: ["06"], leftConcentratedPool: ["07"] },
        amm_3: { historyStake: ["08"], pointsStake: ["09"], pool: ["10", "11"] },
        acme: { jar: ["12"] }
      }
    }
    const grown = ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13"].reduce(
      (book, wasmHash) => withContract(book, { contract: `C${wasmHash}`, wasmHash }),
      contractBookOf(file)
    )
    assert.deepStrictEqual(grown.protocols, {
      lend_1: { backstop: ["C01", "C02"], poolV2: ["C03"] },
      amm_1: { pool: ["C04", "C05", "C06", "C07"] },
      amm_3: { stake: ["C08", "C09"], pool: ["C10", "C11"] },
      acme: { jar: ["C12"] }
    })
    assert.deepStrictEqual(grown.pairs, {})
    const paired = withContract({ ...grown, pairs: { C1: ["a", "b"] } }, { contract: "C2", wasmHash: "13", pair: ["c", "d"] })
    assert.deepStrictEqual(paired, { ...grown, pairs: { C1: ["a", "b"], C2: ["c", "d"] } })
  })

  it("is made of a file, without what it says in words", () => {
    const made = contractBookOf({
      protocols: { lend_1: "not deployed", amm_1: { router: ["C1"] } },
      code: { amm_2: "none" },
      tokens: "none"
    })
    assert.deepStrictEqual(made, { protocols: { amm_1: { router: ["C1"] } }, code: {}, tokens: [], pairs: {} })
    assert.deepStrictEqual(contractBookOf({ protocols: {}, tokens: ["C2"] }), { protocols: {}, code: {}, tokens: ["C2"], pairs: {} })
  })

  it("is what lets a contract take anything: one outside of it may only pay, and is told of nobody but the account", () => {
    const empty = (name: string) =>
      corpus.filter((one) => one.name === name).map(({ envelope, expected }) =>
        verify({ ...expected, contracts: { ...expected.contracts, protocols: {} } }, envelope).ok
      )
    for (const name of ["withdraw", "submit", "remove_liquidity", "pay_debt", "withdraw_liquidity", "queue_withdrawal", "swap_chained"]) {
      assert.isAbove(empty(name).length, 0, name)
      assert.notInclude(empty(name), true, name)
    }
    for (const name of ["withdraw_rewards", "unbond", "withdraw_position"]) assert.include(empty(name), true, name)
  })

  it("has the functions of a protocol that a caller brings, and only as they are said", () => {
    const [one = assert.fail("no claim")] = corpus.filter(({ name }) => name === "withdraw_rewards")
    const [contract = ""] = Object.values(one.expected.contracts.protocols["amm_3"]?.["stake"] ?? {})
    const brought = {
      ...one.expected,
      contracts: {
        ...one.expected.contracts,
        protocols: { acme_jar: { jar: Object.values(one.expected.contracts.protocols["amm_3"] ?? {}).flat() } }
      },
      phase: { held: [{ id: `position:acme_jar:${contract}:jar` }] }
    }
    assert.isFalse(verify(brought, one.envelope).ok)
    const functions = { acme_jar: [{ name: "withdraw_rewards", roles: ["jar"], takes: ["account"] }] } as const
    assert.isTrue(verify({ ...brought, contracts: { ...brought.contracts, functions } }, one.envelope).ok)
    const other = { acme_jar: [{ name: "withdraw_rewards", roles: ["lid"], takes: ["account"] }] } as const
    assert.isFalse(verify({ ...brought, contracts: { ...brought.contracts, functions: other } }, one.envelope).ok)
  })

  it("lists no function that the service never builds", () => {
    const built = new Set(corpus.flatMap(({ name }) => name.split(", ")))
    const listed = Object.values(contractFunctions).flat().map(({ name }) => name)
    // A range with fees only: no test leaves one on the sandbox.
    assert.deepStrictEqual([...new Set(listed)].filter((name) => !built.has(name)), ["claim_position_fees"])
  })
})
