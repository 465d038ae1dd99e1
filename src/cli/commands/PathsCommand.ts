import { Command, Options } from "@effect/cli"
import { Effect, Option, Schema } from "effect"
import { brief } from "../../client/BriefAmount.ts"
import { called } from "../../client/ServiceClient.ts"
import { ContractAddress } from "../../domain/Address.ts"
import { AssetId } from "../../domain/Asset.ts"
import { ConversionPath } from "../../domain/ConversionPath.ts"
import { wrongInput } from "../CommandFailed.ts"
import { connectedClient, connectionOptions, jsonOption } from "../Connection.ts"
import { displayed, jsonText, short } from "../Foreign.ts"
import { paragraph, print } from "../Screen.ts"

const encode = Schema.encodeSync(Schema.NullOr(ConversionPath))

const rows = (path: typeof ConversionPath.Encoded | null): ReadonlyArray<string> => {
  if (path === null) return ["No one buys it now."]
  const way = [path.fromAsset, ...path.path, path.toAsset].map((one) => short(one)).join(" → ")
  return [
    `  ${brief(path.estimatedReceive)} XLM now, at least ${brief(path.destMin)} XLM with the slippage`,
    ...paragraph(way),
    `  by ${path.source}, as of ledger ${path.ledger}`
  ]
}

const description = `Finds the best way to sell an asset or a token for lumens.

Examples:
  closeout paths --from USD:GISSUER... --amount 100
  closeout paths --from CTOKEN... --amount 1000000 --json`

const input = {
  ...connectionOptions,
  from: Options.text("from").pipe(Options.withDescription("What is sold: CODE:ISSUER, or the contract of a token (C...)")),
  amount: Options.text("amount").pipe(Options.withDescription("How much: a decimal; of a token its base units")),
  maxSlippageBps: Options.text("max-slippage-bps").pipe(Options.withDescription("Slippage in basis points. Default: 50"), Options.optional),
  json: jsonOption
}

/** `closeout paths`. */
export const pathsCommand = Command.make("paths", input, (given) =>
  Effect.scoped(Effect.gen(function*() {
    const { client, where } = yield* connectedClient(given)
    const slippage = Option.isSome(given.maxSlippageBps) ? { maxSlippageBps: Number(given.maxSlippageBps.value) } : {}
    const fromAsset = yield* Effect.mapError(
      Schema.decodeUnknown(Schema.Union(AssetId, ContractAddress))(given.from),
      () => wrongInput("--from is neither CODE:ISSUER nor the contract of a token (C...).")
    )
    const urlParams = { fromAsset, amount: given.amount, ...slippage }
    const { path } = yield* called(client.paths.find({ path: { network: where.network }, urlParams }))
    const found = encode(path)
    yield* print(...(given.json ? [jsonText({ path: found }, 2)] : rows(displayed(found))))
  }))).pipe(Command.withDescription(description))
