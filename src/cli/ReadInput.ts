import { Args, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { readFileSync } from "node:fs"
import { AccountAddress, isAccountAddress } from "../domain/Address.ts"
import { wrongInput } from "./CommandFailed.ts"
import { type Connection, connectionOptions, jsonOption } from "./Connection.ts"

/** The account that a command is about, and the service. */
export const accountInput = {
  address: Args.text({ name: "account" }).pipe(Args.withDescription("The account (G...)"), Args.optional),
  ...connectionOptions,
  json: jsonOption
}

/** The account that was named, or that of the embedded sandbox. */
export const accountNamed = (address: Option.Option<string>, { prepared }: Connection) => {
  const named = Option.getOrElse(address, () => prepared?.source.publicKey() ?? "")
  return isAccountAddress(named)
    ? Effect.succeed(AccountAddress.make(named))
    : Effect.fail(wrongInput("Which account? Name its address (G...)."))
}

/** An envelope, as an argument, in a file, or on standard input. */
export const envelopeInput = {
  envelope: Args.text({ name: "envelope" }).pipe(
    Args.withDescription("The transaction envelope, base64. Default: what comes on standard input"),
    Args.optional
  ),
  file: Options.file("file", { exists: "yes" }).pipe(Options.withDescription("A file with the envelope"), Options.optional)
}

/** The envelope that was given. */
export const envelopeOf = (
  { envelope, file }: { readonly envelope: Option.Option<string>; readonly file: Option.Option<string> }
) =>
  Effect.try({
    try: () => Option.getOrElse(envelope, () => readFileSync(Option.getOrElse(file, () => 0), "utf8")).trim(),
    catch: () => wrongInput("There is no envelope: give it as argument, by --file, or on standard input.")
  })
