import { flushCompileCache } from "node:module"
import { afterAll, inject } from "vitest"
import { quickImports } from "../../src/serving/QuickImports.ts"
import { packagesFromSource } from "../outside/FromSource.ts"
import { endPropertiesWithin } from "./Properties.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Milliseconds for which a property may run: less than its test may. */
    readonly longestProperty: number
  }
}

// Files of tests import the whole service, and ask for the same names again and again.
quickImports()

// The example of a team's package is tried without installing it.
packagesFromSource()

endPropertiesWithin(inject("longestProperty"))

// Workers are stopped, not ended: what they compiled is written after every file of tests.
afterAll(() => flushCompileCache())
