import type { Keypair } from "@stellar/stellar-sdk"
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Service } from "./CloseAccount.ts"

/** Closes an account with a copy of the packed command line that has no installed modules beside it. Throws where that fails. */
export const closeByCommand = ({ key, passphrase, url }: Service, source: Keypair, destination: string): void => {
  const folder = mkdtempSync(join(tmpdir(), "closeout-"))
  try {
    cpSync("node_modules/account-closeout/dist/closeout", folder, { recursive: true })
    const args = [join(folder, "closeout.mjs"), "close", "--yes", "--json", "--to", destination, source.publicKey()]
    const { status, stderr, stdout } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { CLOSEOUT_URL: url, CLOSEOUT_API_KEY: key, CLOSEOUT_PASSPHRASE: passphrase, CLOSEOUT_SECRET: source.secret() }
    })
    if (status !== 0) throw new Error(`the command line ended with ${status}: ${stdout}${stderr}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
