import { flushCompileCache } from "node:module"
import { afterAll, inject } from "vitest"
import { packagesFromSource } from "../outside/FromSource.ts"
import { compareEveryField } from "./DeepEquality.ts"
import { endPropertiesWithin } from "./Properties.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Time limit of a property in milliseconds: less than its test's. */
    readonly longestProperty: number
  }
}

// The example of a team's package is tested without installing it.
packagesFromSource()

endPropertiesWithin(inject("longestProperty"))

compareEveryField()

// Workers are killed, so the compile cache is written after every test file.
afterAll(() => flushCompileCache())
