import { Options, Prompt } from "@effect/cli"
import { Keypair, StrKey } from "@stellar/stellar-sdk/base"
import { Effect, Option, Redacted } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { signWithKey } from "../client/signing/Key.ts"
import { signWithPreimage } from "../client/signing/Preimage.ts"
import { fewestOf, signWithSeveral } from "../client/signing/Several.ts"
import type { Sign, SigningRequest } from "../client/SigningRequest.ts"
import { type CommandFailed, wrongInput } from "./CommandFailed.ts"
import { short } from "./Foreign.ts"
import { print } from "./Screen.ts"

/** Signers whose secrets are known, by key: G... or X... */
export type Secrets = Map<string, Sign>

const preimage = /^preimage:((?:[0-9a-fA-F]{2}){1,64})$/

/** What a secret is, without a word about its text. */
const addSecret = (secrets: Secrets, text: string): Effect.Effect<void, CommandFailed> =>
  Effect.suspend(() => {
    const bytes = preimage.exec(text)?.[1]
    if (bytes !== undefined) {
      const known = Buffer.from(bytes, "hex")
      secrets.set(StrKey.encodeSha256Hash(createHash("sha256").update(known).digest()), signWithPreimage(known))
      return Effect.void
    }
    if (!StrKey.isValidEd25519SecretSeed(text)) {
      return Effect.fail(wrongInput("A secret is neither a secret key (S...) nor preimage: and its bytes in hex."))
    }
    const pair = Keypair.fromSecret(text)
    secrets.set(pair.publicKey(), signWithKey(pair))
    return Effect.void
  })

/** The whole text of a file descriptor. */
export const textOf = (descriptor: number): Effect.Effect<string, CommandFailed> =>
  Effect.try({
    try: () => readFileSync(descriptor, "utf8"),
    catch: () => wrongInput(`The file descriptor ${descriptor} cannot be read.`)
  })

const variable = "CLOSEOUT_SECRET"

/** The variable is gone afterwards, so that no process started from here gets it. */
const fromEnvironment = Effect.sync(() => {
  const text = process.env[variable] ?? ""
  delete process.env[variable]
  return text
})

export const secretOptions = {
  secretFd: Options.integer("secret-fd").pipe(
    Options.withDescription(
      "The file descriptor that secrets are read from, one a line: S..., or preimage: and hex. Also: CLOSEOUT_SECRET. Default: a prompt"
    ),
    Options.optional
  )
}

/** Secrets of the environment and of a file descriptor, several divided by blanks or lines. */
export const givenSecrets = ({ secretFd }: { readonly secretFd: Option.Option<number> }): Effect.Effect<Secrets, CommandFailed> =>
  Effect.gen(function*() {
    const texts = [yield* fromEnvironment, Option.isSome(secretFd) ? yield* textOf(secretFd.value) : ""]
    const secrets: Secrets = new Map()
    for (const text of texts.flatMap((one) => one.split(/[\s,]+/)).filter((one) => one !== "")) yield* addSecret(secrets, text)
    return secrets
  })

/** Asks for one more secret. What is typed is not shown. */
export const askSecret = (secrets: Secrets, message: string) =>
  Effect.gen(function*() {
    const typed = yield* Prompt.run(Prompt.hidden({ message }))
    yield* Effect.catchTag(addSecret(secrets, Redacted.value(typed).trim()), "CommandFailed", ({ reason }) => print(`  ${reason}`))
  })

type Row = SigningRequest["signing"][number]

const missingOf = (secrets: Secrets, row: Row): number => {
  const chosen = new Set(fewestOf(new Set(secrets.keys()), row))
  return row.requiredWeight - row.signers.reduce((sum, { key, weight }) => (chosen.has(key) ? sum + weight : sum), 0)
}

/** Signs with the secrets that are known, and asks for more as long as weight is missing. */
export const signerOf = (secrets: Secrets, mayAsk: boolean) =>
  Effect.map(Effect.context<Prompt.Prompt.Environment>(), (context): Sign => (request) =>
    Effect.gen(function*() {
      for (;;) {
        const row = request.signing.find((one) => missingOf(secrets, one) > 0)
        if (row === undefined) break
        if (!mayAsk) {
          return yield* wrongInput(`The secrets that were given do not reach the weight that ${row.account} needs to sign.`)
        }
        yield* askSecret(secrets, `Secret key of a signer of ${short(row.account)}`)
      }
      const signed = signWithSeveral(Object.fromEntries(secrets))(request)
      return yield* (Effect.isEffect(signed) ? signed : Effect.promise(() => Promise.resolve(signed)))
    }).pipe(Effect.provide(context)))
