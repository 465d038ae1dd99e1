/**
 * Signs a transaction of the service on this machine, without the service. Standard input is the answer of `close/transactions` or
 * `mediator/sign`, or this script's output for another signer. The secret is in the environment variable SECRET, and the body for `submit`
 * goes to standard output. Answers without the network's passphrase need it in PASSPHRASE. Compare the decoded transaction before you sign.
 */
import { FeeBumpTransaction, Keypair, type Transaction, TransactionBuilder } from "@stellar/stellar-sdk"
import { text } from "node:stream/consumers"

/** The fields of an answer that signing uses. Any other input has none of them. */
interface Answer {
  readonly transactions?: ReadonlyArray<Offered>
  readonly status?: unknown
  readonly transaction?: unknown
  readonly signedXdr?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
}

interface Offered {
  readonly xdr?: unknown
  readonly networkPassphrase?: unknown
  readonly signing?: ReadonlyArray<{ readonly signers?: ReadonlyArray<{ readonly key?: unknown }> }>
}

/** An envelope, its network, and the keys that may sign it; null: the answer does not state them. */
interface ToSign {
  readonly xdr: string
  readonly passphrase: string
  readonly signers: ReadonlyArray<unknown> | null
}

/** The reason why nothing was signed, in a sentence for the caller. */
export class NotSigned extends Error {}

const parsed = (input: string): Answer => {
  let value: unknown
  try {
    value = JSON.parse(input)
  } catch {
    throw new NotSigned(
      "What came on standard input is no JSON. Pipe an answer of close/transactions or of mediator/sign into this script."
    )
  }
  if (typeof value === "object" && value !== null) return value
  throw new NotSigned("What came on standard input is no answer of the service.")
}

const given = (passphrase: string | undefined): string => {
  if (passphrase !== undefined && passphrase !== "") return passphrase
  throw new NotSigned("This answer does not say for which network it is: set PASSPHRASE to networkPassphrase of the transaction.")
}

const toSign = (input: string, passphrase: string | undefined): ToSign => {
  const { error, signedXdr, status, transaction, transactions } = parsed(input)
  if (error !== undefined) throw new NotSigned(`The service refused, so there is nothing to sign: ${error.code}: ${error.message}`)
  const [offered] = transactions ?? []
  if (typeof offered?.xdr === "string" && typeof offered.networkPassphrase === "string") {
    const signers = offered.signing?.flatMap((one) => one.signers?.map(({ key }) => key) ?? []) ?? null
    return { xdr: offered.xdr, passphrase: offered.networkPassphrase, signers }
  }
  const envelope = transaction ?? signedXdr
  if (typeof envelope === "string") return { xdr: envelope, passphrase: given(passphrase), signers: null }
  throw new NotSigned(
    status === "complete" ? "The account is closed: there is nothing left to sign." : "There is no transaction in this answer."
  )
}

const keyOf = (secret: string | undefined): Keypair => {
  if (secret === undefined || secret === "") throw new NotSigned("SECRET is not set: it holds the secret key to sign with.")
  try {
    return Keypair.fromSecret(secret)
  } catch {
    throw new NotSigned("SECRET is no secret key: it starts with S and has 56 characters.")
  }
}

const decoded = ({ passphrase, xdr }: ToSign): Transaction => {
  let read: Transaction | FeeBumpTransaction
  try {
    read = TransactionBuilder.fromXdr(xdr, passphrase)
  } catch {
    throw new NotSigned("The transaction in this answer does not decode.")
  }
  if (read instanceof FeeBumpTransaction) {
    throw new NotSigned("This is a fee bump: only whoever pays its fee signs it, with a wallet of their own.")
  }
  return read
}

const carries = (transaction: Transaction, key: Keypair): boolean =>
  transaction.signatures.some((one) => key.verify(transaction.hash(), one.signature))

/** The body for `submit`, and a remark for the signer, or null. Fails with `NotSigned`, whose message never has a secret. */
export const signedBody = (
  input: string,
  settings: { readonly secret: string | undefined; readonly passphrase: string | undefined }
): { readonly signedXdr: string; readonly remark: string | null } => {
  const key = keyOf(settings.secret)
  const offered = toSign(input, settings.passphrase)
  const transaction = decoded(offered)
  const own = key.publicKey()
  if (offered.signers !== null && !offered.signers.includes(own)) {
    throw new NotSigned(
      `The key ${own} is no signer of the account ${transaction.source}, so nothing was signed. Set SECRET to the secret of one that is.`
    )
  }
  const unsure = offered.signers === null && transaction.source !== own
  // A second signature of one key would be extra, and the network rejects extra signatures.
  if (!carries(transaction, key)) transaction.sign(key)
  return {
    signedXdr: transaction.toXdr(),
    remark: unsure
      ? `Signed by ${own}, which is not the account ${transaction.source} itself; this answer does not tell whether it is one of its signers.`
      : null
  }
}

if (import.meta.main) {
  try {
    const { remark, signedXdr } = signedBody(await text(process.stdin), {
      secret: process.env["SECRET"],
      passphrase: process.env["PASSPHRASE"]
    })
    if (remark !== null) process.stderr.write(`${remark}\n`)
    process.stdout.write(`${JSON.stringify({ signedXdr })}\n`)
  } catch (failure) {
    if (!(failure instanceof NotSigned)) throw failure
    process.stderr.write(`${failure.message}\n`)
    process.exitCode = 1
  }
}
