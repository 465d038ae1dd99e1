import { Options } from "@effect/cli"
import { Transaction, TransactionBuilder } from "@stellar/stellar-sdk/base"
import { Config, Effect, Option, Redacted } from "effect"
import { given } from "../client/Callback.ts"
import { hashOf } from "../client/Envelope.ts"
import { called, serviceClient } from "../client/ServiceClient.ts"
import { CommandFailed, wrongInput } from "./CommandFailed.ts"
import { connectedClient, type ConnectionInput, connectionOptions, jsonOption } from "./Connection.ts"
import { isInteractive } from "./Screen.ts"
import { askSecret, givenSecrets, secretOptions, type Secrets, textOf } from "./Secrets.ts"

/** Who manages keys: the operator, or an account that proves itself. */
export const keyOptions = {
  ...connectionOptions,
  ...secretOptions,
  admin: Options.boolean("admin").pipe(
    Options.withDescription("As the operator, with the token of CLOSEOUT_ADMIN_TOKEN or --admin-token-fd")
  ),
  adminTokenFd: Options.integer("admin-token-fd").pipe(
    Options.withDescription("The file descriptor that the operator's token is read from"),
    Options.optional
  ),
  json: jsonOption
}

interface KeyInput extends ConnectionInput {
  readonly secretFd: Option.Option<number>
  readonly admin: boolean
  readonly adminTokenFd: Option.Option<number>
  readonly json: boolean
}

/** A challenge that is safe to sign: no ledger takes its sequence number, and it does nothing but name things. */
const isHarmless = (challenge: unknown, address: string): challenge is Transaction =>
  challenge instanceof Transaction && challenge.sequence === "0" && challenge.operations.length > 0 &&
  challenge.operations.every(({ type }) => type === "manageData") && challenge.operations[0]?.source === address

const addressIn = (secrets: Secrets, mayAsk: boolean) =>
  Effect.gen(function*() {
    if (secrets.size === 0 && mayAsk) yield* askSecret(secrets, "Secret key of the account whose API keys these are")
    const address = [...secrets.keys()].find((key) => key.startsWith("G"))
    return address ?? (yield* wrongInput("Give the secret key of the account whose API keys these are, or use --admin."))
  })

/** The token of a session of 30 minutes, for which the account signs a challenge. */
const sessionToken = (input: KeyInput) =>
  Effect.gen(function*() {
    const { client, prepared, where: { network } } = yield* connectedClient(input)
    if (prepared !== null) return yield* wrongInput("The embedded service has no API keys to manage.")
    const secrets = yield* givenSecrets(input)
    const address = yield* addressIn(secrets, isInteractive && !input.json)
    const { networkPassphrase, transaction } = yield* called(client.selfService.challenge({ payload: { network, address } }))
    const challenge = TransactionBuilder.fromXdr(transaction, networkPassphrase)
    if (!isHarmless(challenge, address)) {
      return yield* new CommandFailed({
        code: "not_verified",
        reason: "The challenge is no challenge. Nothing was signed.",
        retry: "never"
      })
    }
    const hash = hashOf(challenge)
    const signed = yield* Effect.reduce([...secrets], transaction, (envelope, [key, sign]) =>
      key.startsWith("G")
        ? given("sign", () => sign({ envelope, hash, networkPassphrase, explanation: [], guaranteedLumens: null, signing: [] }))
        : Effect.succeed(envelope))
    return (yield* called(client.selfService.session({ payload: { network, transaction: signed } }))).token
  })

const adminToken = ({ adminTokenFd }: KeyInput) =>
  Effect.gen(function*() {
    if (Option.isSome(adminTokenFd)) return (yield* textOf(adminTokenFd.value)).trim()
    const token = yield* Effect.orDie(Config.option(Config.redacted("CLOSEOUT_ADMIN_TOKEN")))
    return Option.isSome(token)
      ? Redacted.value(token.value)
      : yield* wrongInput("The operator's token is missing: set CLOSEOUT_ADMIN_TOKEN.")
  })

/** The client with the token of who manages keys. */
export const keyClient = (input: KeyInput) =>
  Effect.gen(function*() {
    if (Option.isNone(input.url)) return yield* wrongInput("Name the service by --url or CLOSEOUT_URL.")
    const apiKey = input.admin ? yield* adminToken(input) : yield* sessionToken(input)
    return yield* serviceClient({ baseUrl: input.url.value, apiKey })
  })
