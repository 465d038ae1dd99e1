import { assert, describe, it } from "@effect/vitest"
import { shownJson, shownText } from "../../src/domain/ShownText.ts"

describe("text that somebody else wrote", () => {
  it("is shown without what would turn, hide or break it, and else as it is", () => {
    assert.strictEqual(shownText("Fixed \u{202e}looP\u{202c} V2"), "Fixed looP V2")
    assert.strictEqual(shownText("a\u0000\u001b[2J\nb\u200d\u2028c\ud800"), "a[2Jbc")
    assert.strictEqual(shownText("Yield é 基金 😀"), "Yield é 基金 😀")
  })

  it("is the same text in JSON, with what is not seen escaped, also where the JSON is indented", () => {
    const value = { name: "a\u0000\u001b[2J\nb\u200d\u2028\u{e0041}c\ud800 é 😀" }
    const json = shownJson(JSON.stringify(value, null, 2))
    assert.notMatch(json.replaceAll("\n", ""), /[\p{C}\p{Zl}\p{Zp}]/u)
    assert.include(json, "\\u200d\\u2028\\udb40\\udc41c")
    assert.include(json, " é 😀")
    assert.deepStrictEqual(JSON.parse(json), value)
  })
})
