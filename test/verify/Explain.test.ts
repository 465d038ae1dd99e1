import { assert, describe, it } from "@effect/vitest"
import { explain } from "../../src/verify/Verifier.ts"
import { readCorpus } from "./support/Corpus.ts"
import { mutations } from "./support/Mutations.ts"

const corpus = readCorpus()

const caseOf = (name: string) => corpus.find((one) => one.name === name) ?? assert.fail(`the corpus has no ${name}`)

const said = ({ envelope, expected }: (typeof corpus)[number], names: Readonly<Record<string, string>> = {}): string =>
  explain(envelope, expected.networkPassphrase, names).join("\n")

describe("what a transaction does, in sentences", () => {
  it("has a sentence for every operation of every transaction of the test run, and sees no danger in any", () => {
    for (const one of corpus) {
      assert.notInclude(said(one), "DANGER", one.name)
      assert.notInclude(said(one), "undefined", one.name)
      assert.match(said(one), /\n1\. [A-Z].+\.$/m, one.name)
    }
  })

  it("calls addresses by the names that the caller gives them", () => {
    const one = caseOf("account_merge")
    assert.include(said(one, { [one.expected.destination]: "my savings" }), "Merges the account into my savings")
  })

  it("warns of what a close never does, and of what is no transaction", () => {
    const one = caseOf("account_merge")
    const signer = mutations.find(({ name }) => name === "adds a signer")?.of(one, ([first]) => first!)
    assert.include(said({ ...one, envelope: signer?.envelope ?? "" }), "DANGER: does something that a close never does (setOptions)")
    assert.include(said({ ...one, envelope: "AAAA" }), "DANGER: The text is no transaction")
  })
})
