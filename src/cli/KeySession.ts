import { Options } from "@effect/cli"
import { TransactionBuilder } from "@stellar/stellar-sdk/base"
import { Config, Effect, Option, Redacted } from "effect"
import { given } from "../client/Callback.ts"
import { challengeDomain, isDomainOf } from "../client/Challenge.ts"
import { hashOf } from "../client/Envelope.ts"
import { called, serviceClient } from "../client/ServiceClient.ts"
import { CommandFailed, wrongInput } from "./CommandFailed.ts"
import { connectedClient, type ConnectionInput, connectionOptions, jsonOption } from "./Connection.ts"
import { passphraseAt } from "./Passphrase.ts"
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
  domain: Options.text("domain").pipe(
    Options.withDescription("The domain that the service's challenges name. Default: the host of --url"),
    Options.optional
  ),
  json: jsonOption
}

interface KeyInput extends ConnectionInput {
  readonly secretFd: Option.Option<number>
  readonly admin: boolean
  readonly adminTokenFd: Option.Option<number>
  readonly domain: Option.Option<string>
  readonly json: boolean
}

const addressIn = (secrets: Secrets, mayAsk: boolean) =>
  Effect.gen(function*() {
    if (secrets.size === 0 && mayAsk) yield* askSecret(secrets, "Secret key of the account whose API keys these are")
    const address = [...secrets.keys()].find((key) => key.startsWith("G"))
    return address ?? (yield* wrongInput("Give the secret key of the account whose API keys these are, or use --admin."))
  })

/** Fails unless an envelope is a challenge of the service itself: another server's would open a session there. */
const checkChallenge = (envelope: string, { address, domain, networkPassphrase, url }: {
  readonly address: string
  readonly domain: Option.Option<string>
  readonly networkPassphrase: string
  readonly url: string | URL
}) => {
  const named = challengeDomain(envelope, networkPassphrase, address)
  const refused = (reason: string, retry: "never" | "after_fix") =>
    Effect.fail(new CommandFailed({ code: "not_verified", reason: `${reason} Nothing was signed.`, retry }))
  if (named === null) return refused("The service sent no challenge for this account and network.", "never")
  const isItsOwn = Option.match(domain, { onNone: () => isDomainOf(named, url), onSome: (given) => given === named })
  return isItsOwn ? Effect.void : refused(
    `The challenge is that of ${named}. Only if this is the service's own domain, add --domain ${named}.`,
    "after_fix"
  )
}

/** The token of a session of 30 minutes, for which the account signs a challenge. */
const sessionToken = (input: KeyInput) =>
  Effect.gen(function*() {
    const { client, ...connection } = yield* connectedClient(input)
    const { prepared, where: { baseUrl, network } } = connection
    if (prepared !== null) return yield* wrongInput("The embedded service has no API keys to manage.")
    const secrets = yield* givenSecrets(input)
    const address = yield* addressIn(secrets, isInteractive && !input.json)
    const networkPassphrase = passphraseAt(connection)
    const { transaction } = yield* called(client.selfService.challenge({ payload: { network, address } }))
    yield* checkChallenge(transaction, { address, domain: input.domain, networkPassphrase, url: baseUrl })
    const hash = hashOf(TransactionBuilder.fromXdr(transaction, networkPassphrase))
    const signed = yield* Effect.reduce([...secrets], transaction, (envelope, [key, sign]) =>
      key.startsWith("G")
        ? given(
          "sign",
          () => sign({ envelope, hash, networkPassphrase, explanation: [], guaranteedLumens: null, warnings: [], signing: [] })
        )
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
