import { Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { Receipt } from "../client/Receipt.ts"
import { checkPrivate, type PrivateFile, writePrivate } from "./PrivateFile.ts"

/** The file that the receipt of a close is written to. */
export const receiptOption = Options.text("receipt").pipe(
  Options.withDescription("Write the receipt to this file, as JSON"),
  Options.optional
)

const fileOf = (path: string, addition: string): PrivateFile => ({ what: "The receipt", path, addition })

/** Fails where the receipt could not be written, before anything is signed. */
export const checkReceiptFile = (file: Option.Option<string>) =>
  Option.isNone(file) ? Effect.void : checkPrivate(fileOf(file.value, "Nothing was signed."))

/** Writes the receipt. It fails where the file can no longer be written. */
export const writeReceipt = (receipt: Receipt, file: Option.Option<string>) =>
  Option.isNone(file) ? Effect.void : writePrivate(
    fileOf(file.value, "The account is closed. Run the command again to get the receipt."),
    `${JSON.stringify(receipt, null, 2)}\n`
  )
