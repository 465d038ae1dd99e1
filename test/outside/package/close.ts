/** Starts the service of `main.ts` in a process of its own. Closes its prepared account by the client, and another one by the command line. */
import { Keypair } from "@stellar/stellar-sdk"
import { spawn } from "node:child_process"
import { ask } from "./CloseAccount.ts"
import { closeByClient } from "./CloseByClient.ts"
import { closeByCommand } from "./CloseByCommand.ts"

const child = spawn(process.execPath, ["main.ts"], { stdio: ["ignore", "pipe", "inherit"], env: { PATH: process.env["PATH"], PORT: "0" } })

/** The service's output at its start, up to the settings for a client. */
const printed = await new Promise<string>((resolve, reject) => {
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    text += more
    if (/export PASSPHRASE=.*\n/.test(text)) resolve(text)
  })
  child.once("exit", () => reject(new Error("the service ended")))
})

const setting = (name: string): string => new RegExp(`export ${name}='?([^'\\n]+)`).exec(printed)?.[1] ?? ""

const service = { url: setting("URL"), key: setting("KEY"), passphrase: setting("PASSPHRASE") }
const source = Keypair.fromSecret(setting("SECRET"))
const { defiPositions: { positions } } = await ask<{ defiPositions: { positions: ReadonlyArray<{ protocol: string }> } }>(
  service,
  `/testnet/account/${source.publicKey()}`
)
console.log(`it holds something in ${positions.map(({ protocol }) => protocol).join(" and ")}`)
const sent = await closeByClient(service, { source: source.publicKey(), secret: source.secret(), destination: setting("DESTINATION") })

/** Throws unless an account is gone from the sandbox. */
const checkGone = async (address: string) => {
  const { status } = await fetch(`${setting("SANDBOX")}/accounts/${address}`)
  if (status !== 404) throw new Error(`the account is still there: ${status}`)
}

await checkGone(source.publicKey())
console.log(`closed with ${sent} transactions`)

const other = Keypair.random()
await fetch(`${setting("SANDBOX")}/friendbot?addr=${other.publicKey()}`)
closeByCommand(service, other, setting("DESTINATION"))
await checkGone(other.publicKey())
console.log("closed by the packed command line")
child.kill()
