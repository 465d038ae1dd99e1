#!/usr/bin/env node
import * as modules from "node:module"
import { hasSecret, secretRefusal } from "./SecretInArguments.ts"

// Node 20 warns of every import of JSON.
process.removeAllListeners("warning")

// A reader that closes the pipe early stops no command: a close continues, and ends with its own status.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
  })
}

const argv = process.argv.slice(2)
if (hasSecret(argv)) {
  if (argv.includes("--json")) console.log(JSON.stringify({ error: secretRefusal }))
  else console.error(secretRefusal.message)
  process.exit(2)
}

// What Node makes of the sources is kept for the next run. Node 20 cannot.
modules.enableCompileCache?.()

await import("./Begin.ts")
