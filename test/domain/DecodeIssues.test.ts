import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { accountAddressProblem } from "../../src/domain/Address.ts"
import { issuesOf } from "../../src/domain/failure/DecodeIssues.ts"
import { CloseRequest } from "../../src/domain/Plan.ts"

const decode = Schema.decodeUnknownEither(CloseRequest, { onExcessProperty: "error", errors: "all" })

const issuesFor = (body: object) =>
  Either.match(decode({ source: "G", ...body }), { onLeft: issuesOf, onRight: () => [] }).map(({ message, path }) => `${path} ${message}`)

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

  it("tells a federation address from a mistyped one", () => {
    assert.match(accountAddressProblem("ann*example.org"), /^This is a federation address \(name\*domain\)\. Send the account's address, G/)
    assert.match(accountAddressProblem("GABC"), /valid checksum/)
  })
})
