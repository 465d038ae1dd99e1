import { flushCompileCache } from "node:module"
import { afterAll } from "vitest"
import "./QuickImports.ts"

// Workers are stopped, not ended: what they compiled is written after every file of tests.
afterAll(() => flushCompileCache())
