import { assert, describe, it } from "@effect/vitest"
import { Account, Asset, Keypair, Networks, Operation, TransactionBuilder } from "@stellar/stellar-sdk"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { ledgerAddress, type LedgerApp, type SigningRequest, signWithLedger } from "../../src/client/Client.ts"
import { isLedgerInstalled } from "./support/LedgerInstalled.ts"

const require = createRequire(import.meta.url)

/**
 * An exchange with a device: each command (`=>`) and its answer (`<=`), in hex. It was written from the library's documented format for the key
 * and the transaction below, and not taken from a device.
 */
const recording = readFileSync(new URL("recorded/ledger-exchange.txt", import.meta.url), "utf8")

/** Answers only the commands of a recording, in its order. */
const replayOf = (text: string) => {
  const lines = text.split("\n").filter((line) => line.startsWith("=>") || line.startsWith("<="))
  const left = () => lines.length
  const answer = (apdu: Buffer): Buffer => {
    const [command = "", answered = ""] = lines.splice(0, 2)
    assert.strictEqual(`=> ${apdu.toString("hex")}`, command)
    return Buffer.from(answered.slice(3), "hex")
  }
  return { answer, left }
}

const key = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 21))

/** A transaction that takes several commands. */
const transaction = () => {
  const builder = new TransactionBuilder(new Account(key.publicKey(), "41"), {
    fee: "100",
    networkPassphrase: Networks.TESTNET,
    timebounds: { minTime: 0, maxTime: 1_900_000_000 }
  })
  for (let count = 0; count < 5; count++) {
    builder.addOperation(
      Operation.changeTrust({ asset: new Asset(`ASSET${count}`, Keypair.fromRawEd25519Seed(Buffer.alloc(32, 22)).publicKey()), limit: "0" })
    )
  }
  return builder.addOperation(Operation.accountMerge({ destination: Keypair.fromRawEd25519Seed(Buffer.alloc(32, 23)).publicKey() })).build()
}

const requestOf = (envelope: string): SigningRequest => ({
  envelope,
  hash: "",
  networkPassphrase: Networks.TESTNET,
  explanation: [],
  guaranteedLumens: null,
  warnings: [],
  signing: []
})

/** The library's application over a transport to something that answers commands. */
const appOver = async (answer: (apdu: Buffer) => Buffer): Promise<LedgerApp> => {
  const { transportTo } = await import("./support/LedgerDevice.ts")
  const { default: Str } = require("@ledgerhq/hw-app-str") as { readonly default: new(transport: unknown) => LedgerApp }
  return new Str(transportTo(answer))
}

const signed = async (app: LedgerApp) => signWithLedger(app)(requestOf(transaction().toXdr()))

describe.skipIf(!isLedgerInstalled)("a Ledger device", () => {
  it("signs by the commands of a recorded exchange, and the signature is that of its key", async () => {
    const { answer, left } = replayOf(recording)
    const app = await appOver(answer)
    assert.strictEqual(await ledgerAddress(app), key.publicKey())
    const own = transaction()
    own.sign(key)
    assert.strictEqual(await signed(app), own.toXdr())
    assert.strictEqual(left(), 0)
  })

  it("that gives another's signature, or refuses, or cannot take the transaction, signs nothing", async () => {
    const { ledgerDevice } = await import("./support/LedgerDevice.ts")
    const [own, other] = [ledgerDevice(key), ledgerDevice(Keypair.random())]
    const cases: ReadonlyArray<readonly [(apdu: Buffer) => Buffer, RegExp]> = [
      [(apdu) => (apdu[1] === 0x02 ? own : other)(apdu), /signature/i],
      [ledgerDevice(key, { denies: true }), /refused/],
      [ledgerDevice(key, { takes: 100 }), /too large.*smallEnvelopes/]
    ]
    for (const [answer, message] of cases) {
      const failed = await signed(await appOver(answer)).then(() => assert.fail("it signed"), (failure: unknown) => failure)
      assert.match(String(failed), message)
    }
  })
})
