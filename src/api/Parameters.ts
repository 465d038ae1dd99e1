import { ParseResult, Schema } from "effect"
import { AccountAddress, ContractAddress } from "../domain/Address.ts"
import { Amount } from "../domain/Amount.ts"
import { AssetId } from "../domain/Asset.ts"
import { TransactionHash } from "../domain/Ledger.ts"
import { Network } from "../domain/Network.ts"

/** The path of a route below a network. */
export const NetworkPath = Schema.Struct({ network: Network })

/** The path of a route about one account. */
export const AccountPath = Schema.Struct({ network: Network, address: AccountAddress })

/** The path of a route about one transaction. */
export const TransactionPath = Schema.Struct({ network: Network, hash: TransactionHash })

/** The path of a route about one API key. */
export const KeyPath = Schema.Struct({ id: Schema.String.annotations({ description: "Id of the key's record." }) })

/** Most entries a comma-separated query may list. */
export const maxListed = 20

/** A list as comma-separated text on the wire: at most 20 entries, each once. */
const listOf = <Entry extends string>(entry: Schema.Schema<Entry, string>, name: string, kind: string, pattern: string) =>
  Schema.transformOrFail(
    Schema.String.annotations({
      jsonSchema: {
        type: "string",
        pattern: `^${pattern}(,${pattern}){0,${maxListed - 1}}$`,
        description: `${kind}, comma-separated, at most ${maxListed}, each once.`
      }
    }),
    Schema.Array(Schema.typeSchema(entry)),
    {
      strict: true,
      decode: (text, _, ast) => {
        const refuse = (problem: string) => ParseResult.fail(new ParseResult.Type(ast, text, problem))
        const texts = text.split(",")
        if (texts.length > maxListed) return refuse(`${name} may list at most ${maxListed}; ${texts.length} were given.`)
        if (new Set(texts).size !== texts.length) return refuse(`${name} lists an entry twice. Give each once.`)
        const entries = texts.filter(Schema.is(Schema.typeSchema(entry)))
        return entries.length === texts.length
          ? ParseResult.succeed(entries)
          : refuse(`${name} must be ${kind}, separated by commas without spaces.`)
      },
      encode: (list) => ParseResult.succeed(list.join(","))
    }
  )

/** Token contracts in a query. */
export const TokenList = listOf(ContractAddress, "tokens", "token contracts (C...)", "C[A-Z2-7]{55}")

/** Who may spend, in a query. */
export const SpenderList = listOf(Schema.Union(ContractAddress, AccountAddress), "spenders", "contracts (C...) or accounts (G...)", "[CG][A-Z2-7]{55}")

/** An amount above zero. */
export const PositiveAmount = Amount.pipe(Schema.filter((value) => value > 0n || "an amount above zero"))

/** A slippage in basis points, in a query. */
export const SlippageBps = Schema.NumberFromString.pipe(
  Schema.int(),
  Schema.between(1, 5000)
).annotations({
  jsonSchema: { type: "integer", minimum: 1, maximum: 5000, description: "Slippage in basis points, 50 when left out." }
})

/** What to convert. */
export const ConversionQuery = Schema.Struct({
  fromAsset: AssetId,
  amount: PositiveAmount,
  maxSlippageBps: Schema.optionalWith(SlippageBps, { exact: true })
})
