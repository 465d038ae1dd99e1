import { flushCompileCache } from "node:module"
import { afterAll } from "vitest"
import { quickImports } from "../../src/serving/QuickImports.ts"

// Files of tests import the whole service, and ask for the same names again and again.
quickImports()

// Workers are stopped, not ended: what they compiled is written after every file of tests.
afterAll(() => flushCompileCache())
