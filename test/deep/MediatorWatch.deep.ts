import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { honestCloses } from "../close/support/HonestCloses.ts"

const count = Number(process.env["WATCHED_CLOSES"] ?? 10_000)

describe("the watch over the mediator", () => {
  it.scopedLive(
    `raises no alarm in ${count} closes among strangers' gifts`,
    () => Effect.map(honestCloses(count), ({ swept }) => assert.isAbove(swept, 0)),
    5_000 * count
  )
})
