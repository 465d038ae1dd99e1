import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { runByNode } from "../../vitest.config.ts"
import { chosenRoom } from "./Rooms.ts"

const { tests } = chosenRoom()

/** Files in the order of the table. */
class AsListed extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const placeOf = ({ moduleId }: TestSpecification): number => tests.findIndex((name) => moduleId.endsWith(name))
    return files.toSorted((left, right) => placeOf(left) - placeOf(right))
  }
}

/** What Stryker runs for each mutant of a room. */
export default defineConfig({
  test: {
    include: [...tests],
    setupFiles: ["test/support/Worker.setup.ts"],
    server: { deps: { external: runByNode } },
    // Files of one run share a worker; every run, and so every mutant, has a new one.
    isolate: false,
    sequence: { sequencer: AsListed },
    testTimeout: 300_000,
    provide: { longestProperty: 45_000, thorough: false }
  }
})
