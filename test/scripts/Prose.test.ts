import { assert, describe, it } from "@effect/vitest"
import { commentBreaches } from "../../scripts/dialect/Comments.ts"
import { mostSentences, mostWords, proseBreaches } from "../../scripts/dialect/Prose.ts"

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(" ")

const breaches = (text: string): ReadonlyArray<string> => proseBreaches("page.md", text)

describe("the language of comments", () => {
  it("has each riddle reported with file, line and word, also over the end of a line, but not in code", () => {
    const source =
      "/** Fine. */\nconst one = 1 // nobody\n\n/**\n * Nobody sees `nobody`, as it\n * stands. */\nconst two = \"nobody\"\n// What somebody\n// is asked.\n"
    assert.deepStrictEqual(commentBreaches("File.ts", source).map((line) => line.split("; write")[0]), [
      "File.ts:5: \"Nobody\"",
      "File.ts:5: \"as it stands\"",
      "File.ts:8: \"somebody\"",
      "File.ts:9: \"is asked\""
    ])
  })
})

describe("the language of pages", () => {
  it("has no riddles: each is reported with file, line and word", () => {
    const found = breaches("# Title\n\nThe first line.\nWhoever reads it, and what\ncame of it, is in the\nway.\n")
    assert.deepStrictEqual(found.map((line) => line.split("; write")[0]), [
      "page.md:4: \"Whoever\"",
      "page.md:5: \"came of it\"",
      "page.md:5: \"in the way\""
    ])
  })

  it("has no riddles in lists, headings and tables either", () => {
    assert.deepStrictEqual(breaches("# Nobody\n\n* nobody\n\n| nobody |\n|---|\n").map((line) => line.split(" ")[0]), [
      "page.md:1:",
      "page.md:3:",
      "page.md:5:"
    ])
  })

  it("has short sentences, in paragraphs and lists", () => {
    assert.deepStrictEqual(breaches(`A ${words(mostWords - 1)}. B ${words(mostWords - 1)}.`), [])
    assert.match(breaches(`First.\nA ${words(mostWords)}.`)[0] ?? "", /^page\.md:2: 26 words in a sentence \(at most 25\): "A word0 /)
    assert.match(breaches(`1. First.\n2. A ${words(mostWords)}.`)[0] ?? "", /^page\.md:2: 26 words/)
    assert.deepStrictEqual(breaches(`| A ${words(mostWords)}. |`), [])
  })

  it("has short paragraphs", () => {
    const sentences = (count: number): string => "A sentence.\n".repeat(count)
    assert.deepStrictEqual(breaches(`${sentences(mostSentences)}\n${sentences(mostSentences)}`), [])
    assert.deepStrictEqual(breaches(`Title\n\n${sentences(mostSentences + 1)}`), ["page.md:3: 6 sentences in a paragraph (at most 5)"])
  })

  it("does not count code, comments and addresses of links", () => {
    assert.deepStrictEqual(
      breaches("```\nnobody\n```\n\n<!-- nobody -->\n`nobody` and [a link](nobody.md) and https://nobody.example."),
      []
    )
  })
})
