import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { isThorough } from "../support/Thorough.ts"
import { campaignOf, type Replayed } from "./CampaignReport.ts"
import { sightings } from "./EventLog.ts"

const command = fileURLToPath(new URL("../../scripts/sim.ts", import.meta.url))

/** Runs the command in a process of its own, with a replaced clock and replaced random bytes. */
const sim = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number; readonly text: string }>((resolve) => {
    execFile(process.execPath, [command, ...args], (failure, text, problems) =>
      resolve({ code: failure === null ? 0 : 1, text: `${text}${problems}` }))
  })

const sound: Replayed = {
  seed: 1,
  hash: "00",
  events: 1,
  closed: 1,
  seconds: 1,
  faults: [],
  isSame: true,
  seen: new Map(sightings.map((one) => [one, 1]))
}

describe("npm run sim", () => {
  it.runIf(isThorough)("closes the account of a seed, with the same events twice and no fault", async () => {
    const { code, text } = await sim("--seed", "3", "--closes", "1")
    assert.strictEqual(code, 0, text)
    assert.include(text, "1 seed, each run twice: 1 had the same events both times")
    assert.include(text, "2 closes")
  }, 600_000)

  it("reports a seed that differs when it is run again, one with a fault, and what no seed met", () => {
    assert.deepStrictEqual(campaignOf([sound], 1).never, [])
    assert.isTrue(campaignOf([sound], 1).isFaultless)
    assert.isFalse(campaignOf([sound, { ...sound, isSame: false }], 1).isFaultless)
    assert.isFalse(campaignOf([sound, { ...sound, faults: ["the mediator is gone"] }], 1).isFaultless)
    assert.deepStrictEqual(campaignOf([{ ...sound, seen: new Map() }], 1).never, [...sightings])
  })
})
