import { Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { explain } from "../../verify/Explain.ts"
import { connectionOptions, jsonOption } from "../Connection.ts"
import { displayed, jsonText } from "../Foreign.ts"
import { passphraseOf } from "../Passphrase.ts"
import { envelopeInput, envelopeOf } from "../ReadInput.ts"
import { paragraph, print, red } from "../Screen.ts"

const description = `Decodes an envelope into sentences that say what it would do. It judges nothing, and calls no service.

Examples:
  closeout explain AAAAAgAAAA...
  closeout explain --network mainnet < envelope.txt`

const { network, passphrase } = connectionOptions

/** `closeout explain`. */
export const explainCommand = Command.make(
  "explain",
  { ...envelopeInput, network, passphrase, json: jsonOption },
  (input) =>
    Effect.gen(function*() {
      const envelope = yield* envelopeOf(input)
      const sentences = displayed(explain(envelope, passphraseOf(input.network, Option.getOrUndefined(input.passphrase))))
      if (input.json) return yield* print(jsonText({ sentences }, 2))
      yield* print(...sentences.flatMap((one) => paragraph(one, "").map((line) => (one.includes("DANGER") ? red(line) : line))))
    })
).pipe(Command.withDescription(description))
