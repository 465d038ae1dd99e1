import { flushCompileCache } from "node:module"
import { afterAll } from "vitest"

// Workers are stopped, not ended: what they compiled is written after every file of tests.
afterAll(() => flushCompileCache())
