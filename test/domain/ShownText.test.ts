import { assert, describe, it } from "@effect/vitest"
import { shownText } from "../../src/domain/ShownText.ts"

describe("text that somebody else wrote", () => {
  it("is shown without what would turn, hide or break it, and else as it is", () => {
    assert.strictEqual(shownText("Fixed \u{202e}looP\u{202c} V2"), "Fixed looP V2")
    assert.strictEqual(shownText("a\u0000\u001b[2J\nb\u200d\u2028c\ud800"), "a[2Jbc")
    assert.strictEqual(shownText("Yield é 基金 😀"), "Yield é 基金 😀")
  })
})
