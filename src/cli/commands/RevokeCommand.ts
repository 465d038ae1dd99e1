import { Args, Command, Options } from "@effect/cli"
import { TransactionBuilder } from "@stellar/stellar-sdk/base"
import { Effect } from "effect"
import { given as gave } from "../../client/Callback.ts"
import { hashOf } from "../../client/Envelope.ts"
import { called, httpLayer } from "../../client/ServiceClient.ts"
import { unixTime } from "../../client/UnixTime.ts"
import { witnessedAccount } from "../../client/Witness.ts"
import { explain } from "../../verify/Explain.ts"
import { CommandFailed, wrongInput } from "../CommandFailed.ts"
import { connectedClient, type Connection, connectionOptions, jsonOption } from "../Connection.ts"
import { displayed, jsonText } from "../Foreign.ts"
import { passphraseAt } from "../Passphrase.ts"
import { accountNamed } from "../ReadInput.ts"
import { revocationProblem } from "../RevocationCheck.ts"
import { bold, isInteractive, paragraph, print } from "../Screen.ts"
import { givenSecrets, secretOptions, signerOf } from "../Secrets.ts"

const description = `Ends an allowance: builds one call approve(owner, spender, 0, 0), checks it, signs and submits it.

Examples:
  closeout revoke --token CTOKEN... --spender CSPENDER... GOWNER...
  closeout revoke --secret-fd 3 --token CTOKEN... --spender CSPENDER... GOWNER... 3< secret.txt`

const input = {
  owner: Args.text({ name: "owner" }).pipe(Args.withDescription("The account that gave the allowance (G...)"), Args.optional),
  ...connectionOptions,
  ...secretOptions,
  token: Options.text("token").pipe(Options.withDescription("The token's contract (C...)")),
  spender: Options.text("spender").pipe(Options.withDescription("Who may spend: a contract (C...) or an account (G...)")),
  json: jsonOption
}

/** The account's sequence number by the witness, else as the service says. */
const sequenceOf = (owner: string, { sequence }: { readonly sequence: string }, { where: { witness } }: Connection) =>
  Effect.gen(function*() {
    if (witness === undefined) return BigInt(sequence)
    const own = yield* Effect.provide(witnessedAccount(witness, owner), httpLayer(undefined))
    return own === null ? yield* wrongInput("The witness does not know the account.") : own.sequence
  })

/** `closeout revoke`. */
export const revokeCommand = Command.make("revoke", input, (given) =>
  Effect.scoped(Effect.gen(function*() {
    const { client, ...connection } = yield* connectedClient(given)
    const secrets = yield* givenSecrets(given)
    const owner = yield* accountNamed(given.owner, connection)
    const { network } = connection.where
    const allowance = { owner, token: given.token, spender: given.spender }
    const { transaction: envelope } = yield* called(client.allowances.revoke({ path: { network }, payload: allowance }))
    const networkPassphrase = passphraseAt(connection)
    const state = yield* called(client.account.read({ path: { network, address: owner }, urlParams: {} }))
    const sequence = yield* sequenceOf(owner, state, connection)
    const problem = revocationProblem(envelope, networkPassphrase, { ...allowance, sequence, now: yield* unixTime })
    if (problem !== null) {
      const reason = `The service's transaction is not the revocation that you want. ${problem} Nothing was signed.`
      return yield* new CommandFailed({ code: "not_verified", reason, retry: "never" })
    }
    const explanation = explain(envelope, networkPassphrase)
    if (!given.json) yield* print(bold("The revocation"), ...explanation.flatMap((one) => paragraph(displayed(one))))
    const hash = hashOf(TransactionBuilder.fromXdr(envelope, networkPassphrase))
    const signing = [{
      account: owner,
      level: "med" as const,
      requiredWeight: Math.max(1, state.thresholds.med),
      availableWeight: 0,
      signers: state.signers
    }]
    const sign = yield* signerOf(secrets, isInteractive && !given.json)
    const signedXdr = yield* gave("sign", () =>
      sign({ envelope, hash, networkPassphrase, explanation, guaranteedLumens: null, warnings: [], signing }))
    const { ledger } = yield* called(client.submit.submit({ path: { network }, payload: { signedXdr } }))
    yield* print(given.json ? jsonText({ hash, ledger }, 2) : `The allowance is gone, by ${hash} in ledger ${ledger}.`)
  }))).pipe(Command.withDescription(description))
