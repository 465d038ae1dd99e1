import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { Schema } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExchangeRegistry, RegistryEntry } from "../../../src/domain/RegistryDocument.ts"

type Entry = Schema.Schema.Encoded<typeof RegistryEntry>

/** One deposit address of each memo rule, and one that needs the mediator. */
export const deposits = {
  text: Keypair.random(),
  id: Keypair.random(),
  hash: Keypair.random(),
  return: Keypair.random(),
  none: Keypair.random(),
  mediated: Keypair.random()
}

const entry = (rule: keyof typeof deposits): Entry => ({
  address: deposits[rule].publicKey(),
  name: `Exchange by ${rule}`,
  domain: "exchange.example",
  requiresMediator: rule === "mediated",
  requiresMemo: rule !== "none" && rule !== "mediated",
  memoType: rule === "mediated" ? "none" : rule
})

/** A registry file of these deposits that is good until a day; gone with the scope. */
export const registryFile = (validUntil: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "registry-"))
      const document: Schema.Schema.Encoded<typeof ExchangeRegistry> = {
        version: "test",
        lastVerified: "2020-01-01",
        validUntil,
        source: "made by a test",
        entries: [entry("text"), entry("id"), entry("hash"), entry("return"), entry("none"), entry("mediated")]
      }
      const file = join(folder, "registry.json")
      writeFileSync(file, JSON.stringify(document))
      return { file, folder }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
