import { Keypair } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { Schema } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExchangeRegistry, RegistryEntry } from "../../../src/domain/RegistryDocument.ts"

type Entry = Schema.Schema.Encoded<typeof RegistryEntry>

/** One deposit address of each memo rule, one that needs the mediator, and one that also credits muxed addresses. */
export const deposits = {
  text: Keypair.random(),
  id: Keypair.random(),
  hash: Keypair.random(),
  return: Keypair.random(),
  none: Keypair.random(),
  mediated: Keypair.random(),
  muxed: Keypair.random()
}

const entry = (rule: keyof typeof deposits, memoType: Entry["memoType"], more: Partial<Entry> = {}): Entry => ({
  address: deposits[rule].publicKey(),
  name: `Exchange by ${rule}`,
  domain: "exchange.example",
  requiresMediator: false,
  requiresMemo: memoType !== "none",
  memoType,
  ...more
})

const entries = [
  ...(["text", "id", "hash", "return", "none"] as const).map((rule) => entry(rule, rule)),
  entry("mediated", "none", { requiresMediator: true }),
  entry("muxed", "id", { muxed: true, evidence: { url: "https://exchange.example/deposits", date: "2020-01-01" } })
]

/** A registry file of these deposits that is valid until a day; deleted with the scope. */
export const registryFile = (validUntil: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(join(tmpdir(), "registry-"))
      const document: Schema.Schema.Encoded<typeof ExchangeRegistry> = {
        version: "test",
        lastVerified: "2020-01-01",
        validUntil,
        source: "made by a test",
        entries
      }
      const file = join(folder, "registry.json")
      writeFileSync(file, JSON.stringify(document))
      return { file, folder }
    }),
    ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
