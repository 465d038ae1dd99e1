import { describe, it } from "@effect/vitest"
import { assertAgrees } from "./CallAgreement.ts"
import { readLendRecording } from "./LendReplay.ts"

const RECORDINGS = ["lend_1", "lend_1_backstop", "lend_1_v1"]

for (const name of RECORDINGS) {
  const recording = readLendRecording(name)

  describe(`${name}: calls`, () => {
    for (const call of recording.calls) it(call.name, () => assertAgrees(recording, call))
  })
}
