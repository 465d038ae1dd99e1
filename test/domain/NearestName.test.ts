import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { isSlip } from "../../src/domain/NearestName.ts"

const letter = FastCheck.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ")

const slip = FastCheck.record({ removes: FastCheck.nat(1), adds: FastCheck.string({ unit: letter, maxLength: 1 }), at: FastCheck.nat(40) })

describe("a slip of the hand", () => {
  it.prop(
    "is one letter in five at most, and two in all: left out, added or another one",
    {
      name: FastCheck.string({ unit: letter, minLength: 5, maxLength: 30 }),
      slips: FastCheck.array(slip, { minLength: 1, maxLength: 2 })
    },
    ({ name, slips }) => {
      const made = slips.slice(0, Math.floor(name.length / 5))
      const given = made.reduce((text, { adds, at, removes }) => {
        const place = at % (text.length + 1)
        return `${text.slice(0, place)}${adds}${text.slice(place + removes)}`
      }, name)
      assert.isTrue(isSlip(given, name))
    }
  )

  it("is told from another name", () => {
    for (
      const [given, known, is] of [
        ["LOG_FORMT", "LOG_FORMAT", true],
        ["log_format", "LOGFORMAT", true],
        ["LOG_LEVEL", "LOG_FORMAT", false],
        ["PROT", "PORT", false],
        ["RATE_LIMITED", "RATE_LIMIT", false]
      ] as const
    ) {
      assert.strictEqual(isSlip(given, known), is, given)
    }
  })
})
