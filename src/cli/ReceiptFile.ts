import { Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Receipt } from "../client/Receipt.ts"
import { wrongInput } from "./CommandFailed.ts"
import { checkPrivate, writePrivate } from "./PrivateFile.ts"

/** The file that the receipt of a close is written to. */
export const receiptOption = Options.text("receipt").pipe(
  Options.withDescription("Write the receipt to this file, as JSON"),
  Options.optional
)

const written = (file: Option.Option<string>, write: (file: string) => void, then: string) =>
  Option.isNone(file) ? Effect.void : Effect.try({
    try: () => write(file.value),
    catch: (cause) => wrongInput(`The receipt cannot be written: ${cause instanceof Error ? cause.message : String(cause)}. ${then}`)
  })

/** Fails where the receipt could not be written, before anything is signed. */
export const checkReceiptFile = (file: Option.Option<string>) => written(file, checkPrivate, "Nothing was signed.")

/** Writes the receipt. It fails where the file can no longer be written. */
export const writeReceipt = (receipt: Receipt, file: Option.Option<string>) =>
  written(
    file,
    (name) => writePrivate(name, `${JSON.stringify(receipt, null, 2)}\n`),
    "The account is closed. Run the command again to get the receipt."
  )
