import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { accountAddressProblem } from "../../src/domain/Address.ts"
import { decoding } from "../../src/domain/failure/DecodeIssues.ts"
import { CloseRequest } from "../../src/domain/Plan.ts"

const decode = decoding(CloseRequest)

const issuesFor = (body: object) =>
  Either.match(decode({ source: "G", ...body }), { onLeft: (issues) => issues, onRight: () => [] }).map(({ message, path }) =>
    `${path} ${message}`
  )

/** So many fields that no request has. */
const unknownFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 0]))

describe("what is wrong with a request", () => {
  it("names what is allowed, one issue for each mistake", () => {
    assert.deepStrictEqual(issuesFor({ memo: { type: "txt", value: "1" } }), ["memo.type must be one of text, id, hash, return"])
    assert.deepStrictEqual(issuesFor({ memo: { type: "text" } }), ["memo.value is missing"])
    assert.deepStrictEqual(issuesFor({ memo: 5 }), ["memo must be an object or a string"])
    assert.deepStrictEqual(issuesFor({ source: 1, maxSlippageBps: "x" }), ["source must be a string", "maxSlippageBps must be a number"])
    assert.deepStrictEqual(issuesFor({ decisions: {} }), ["decisions must be an array"])
    assert.deepStrictEqual(issuesFor({ sauce: "secret" }), ["sauce is not a field of this request; the nearest one is source"])
    assert.deepStrictEqual(issuesFor({ accept: { minReceivedLumens: 1, ledger: 5, had: [] } }), [
      "accept.minReceivedLumens must be a decimal amount with at most seven fractional digits"
    ])
  })

  it("names all of a small request, at most 20, and the first of a large one", () => {
    for (const [count, named] of [[3, 3], [20, 20], [999, 20], [1000, 1], [30_000, 1]] as const) {
      assert.lengthOf(issuesFor(unknownFields(count)), named, `${count} unknown fields`)
      assert.lengthOf(
        issuesFor({ entries: Array.from({ length: count - 1 }, () => 0) }),
        Math.min(named, count - 1),
        `${count - 1} entries`
      )
    }
  })

  it("is worded no further than it is named", () => {
    let worded = 0
    const odd = Schema.String.annotations({ message: () => `wrong ${++worded}` })
    assert.lengthOf(Either.getOrThrow(Either.flip(decoding(Schema.Array(odd))(Array.from({ length: 900 }, () => 0)))), 20)
    assert.isAtMost(worded, 21)
  })

  it("tells a federation address from a mistyped one", () => {
    assert.match(accountAddressProblem("ann*example.org"), /^This is a federation address \(name\*domain\)\. Send the account's address, G/)
    assert.match(accountAddressProblem("GABC"), /valid checksum/)
  })
})
