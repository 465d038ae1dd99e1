import { flushCompileCache } from "node:module"
import { afterAll, inject } from "vitest"
import { quickImports } from "../../src/serving/QuickImports.ts"
import { packagesFromSource } from "../outside/FromSource.ts"
import { endPropertiesWithin } from "./Properties.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Time limit of a property in milliseconds: less than its test's. */
    readonly longestProperty: number
  }
}

// Test files import the whole service, and resolve the same names again and again.
quickImports()

// The example of a team's package is tested without installing it.
packagesFromSource()

endPropertiesWithin(inject("longestProperty"))

// Workers are killed, so the compile cache is written after every test file.
afterAll(() => flushCompileCache())
