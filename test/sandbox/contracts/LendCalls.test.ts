import { describe, it } from "@effect/vitest"
import { assertAgrees } from "./CallAgreement.ts"
import { readReplayed } from "./CallReplay.ts"

const recordings = ["lend_1", "lend_1_backstop", "lend_1_v1"]

for (const name of recordings) {
  const recording = readReplayed(name)

  describe(`${name}: calls`, () => {
    for (const call of recording.calls) it(call.name, () => assertAgrees(recording, call))
  })
}
