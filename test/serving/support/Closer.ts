import { type Keypair, TransactionBuilder } from "@stellar/stellar-sdk"
import { staticKey } from "./Upstream.ts"

/** A route's answer. */
export interface Told {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

interface Built {
  readonly transactions: ReadonlyArray<{ readonly xdr: string }>
}

/** A caller that closes plain accounts at a service's address. */
export const closerOf = (url: string, passphrase: string) => {
  const post = async (path: string, body: unknown): Promise<Told> => {
    const answer = await fetch(`${url}/v1/testnet/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${staticKey}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    return { status: answer.status, body: await answer.json() as Told["body"] }
  }
  const asked = (source: Keypair, destination: Keypair) => ({
    source: source.publicKey(),
    destination: destination.publicKey(),
    decisions: [{ id: `destination:${destination.publicKey()}`, choice: "i_control_this_address" }]
  })
  /** The state of the close, by a plan. */
  const plan = (source: Keypair, destination: Keypair) => post("close/plan", asked(source, destination))
  /** The transaction that merges the account. */
  const build = (source: Keypair, destination: Keypair) => post("close/transactions", asked(source, destination))
  /** The built transaction, signed. Fails where none was built. */
  const signed = ({ body, status }: Told, source: Keypair): string => {
    const [first] = (body as unknown as Built).transactions ?? []
    if (first === undefined) throw new Error(`nothing was built: ${status} ${JSON.stringify(body)}`)
    const transaction = TransactionBuilder.fromXDR(first.xdr, passphrase)
    transaction.sign(source)
    return transaction.toXDR()
  }
  const submit = (signedXdr: string) => post("submit", { signedXdr })
  return { build, plan, signed, submit }
}
