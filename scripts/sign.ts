/**
 * Signs the transaction of an answer of `close/transactions` on this machine: the answer comes on standard input, the secret in the
 * environment variable SECRET, and the body for `submit` goes to standard output. Compare the decoded transaction before you sign.
 */
import { Keypair, TransactionBuilder } from "@stellar/stellar-sdk"
import { text } from "node:stream/consumers"

interface Offered {
  readonly transactions?: ReadonlyArray<{ readonly xdr: string; readonly networkPassphrase: string }>
}

const fail = (reason: string): never => {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

const answer = await text(process.stdin)
const [offered] = (JSON.parse(answer) as Offered).transactions ?? []
const secret = process.env["SECRET"]
if (offered === undefined) fail(`there is no transaction in this answer: ${answer}`)
else if (secret === undefined) fail("SECRET is not set")
else {
  const transaction = TransactionBuilder.fromXdr(offered.xdr, offered.networkPassphrase)
  transaction.sign(Keypair.fromSecret(secret))
  process.stdout.write(`${JSON.stringify({ signedXdr: transaction.toXdr() })}\n`)
}
