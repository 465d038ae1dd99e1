import { Keypair } from "@stellar/stellar-sdk"
import { createHash } from "node:crypto"
import { createRequire } from "node:module"

// The Stellar application of a Ledger device as its library documents it. Commands are APDUs of at most 255 bytes of data. Each path has a
// key, and a signature covers the hash of the sent envelope.

const fromLibrary = createRequire(createRequire(import.meta.url).resolve("@ledgerhq/hw-app-str"))

/** Ledger's own base class of transports, which frames the commands. */
export const Transport = (fromLibrary("@ledgerhq/hw-transport") as {
  readonly default: new() => {
    setScrambleKey: (key: string) => void
    close: () => Promise<void>
    exchange: (apdu: Buffer) => Promise<Buffer>
  }
}).default

const words = { ok: "9000", denied: "6985", tooLarge: "b004", unknown: "6d00" } as const

const word = (name: keyof typeof words): Buffer => Buffer.from(words[name], "hex")

/** The settings of a device. */
export interface Behaviour {
  readonly denies?: boolean
  /** The largest transaction that it accepts, in bytes. */
  readonly takes?: number
}

/** Answers commands as a device with this key at each path. */
export const ledgerDevice = (key: Keypair, { denies = false, takes = 5_120 }: Behaviour = {}) => {
  let received = Buffer.alloc(0)
  return (apdu: Buffer): Buffer => {
    const [, instruction, first, more] = apdu
    const data = apdu.subarray(5)
    if (instruction === 0x02) return Buffer.concat([key.rawPublicKey(), word("ok")])
    if (instruction !== 0x04) return word("unknown")
    received = first === 0x00 ? Buffer.from(data) : Buffer.concat([received, data])
    if (more === 0x80) return word("ok")
    const signed = received.subarray(1 + 4 * (received[0] ?? 0))
    if (signed.length > takes) return word("tooLarge")
    if (denies) return word("denied")
    return Buffer.concat([key.sign(createHash("sha256").update(signed).digest()), word("ok")])
  }
}

/** A transport to something that answers commands. */
export const transportTo = (answer: (apdu: Buffer) => Buffer) =>
  new (class extends Transport {
    override exchange = (apdu: Buffer): Promise<Buffer> => Promise.resolve(answer(apdu))
    override setScrambleKey = () => {}
    override close = (): Promise<void> => Promise.resolve()
  })()

/** The transport that the command line gets by name: to a device whose secret is in the environment. */
export default {
  create: () => Promise.resolve(transportTo(ledgerDevice(Keypair.fromSecret(process.env["LEDGER_SECRET"] ?? ""))))
}
