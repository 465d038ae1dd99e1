import { Args, Command } from "@effect/cli"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import type { ProofVersions } from "../../proof/ProofBundle.ts"
import { AnsweredNo, CommandFailed, wrongInput } from "../CommandFailed.ts"
import { jsonOption } from "../Connection.ts"
import { displayed, jsonText } from "../Foreign.ts"
import { loaded } from "../Loaded.ts"
import { green, paragraph, print, red } from "../Screen.ts"

const description =
  `Computes a saved plan again, from its file alone, and tells whether it is the same, byte for byte. It reaches no network.

Examples:
  closeout plan --embedded --save plan.proof
  closeout replay plan.proof`

const input = {
  file: Args.file({ name: "file", exists: "yes" }).pipe(Args.withDescription("A file that plan --save wrote")),
  json: jsonOption
}

const versionText = ({ modelProtocol, node, service }: ProofVersions): string =>
  `version ${service} with Node ${node}, which knows the ledger up to protocol ${modelProtocol}`

const versionsText = (file: ProofVersions, own: ProofVersions): ReadonlyArray<string> =>
  versionText(file) === versionText(own)
    ? []
    : paragraph(`The file was made by ${versionText(file)}. This is ${versionText(own)}.`, "")

/** `closeout replay`. */
export const replayCommand = Command.make("replay", input, (given) =>
  Effect.gen(function*() {
    const { ownVersions, readBundle, replayed } = yield* loaded("Plans are computed again", () => import("../../proof/Replay.ts"))
    const bundle = yield* Effect.try(() => readFileSync(given.file, "utf8")).pipe(
      Effect.flatMap(readBundle),
      Effect.mapError(() => wrongInput(`${given.file} is no saved plan.`))
    )
    const result = yield* replayed(bundle)
    if (result._tag === "Lacking") {
      return yield* new CommandFailed({
        code: "proof_incomplete",
        reason: displayed(
          `The plan cannot be computed from this file: it has no answer to ${result.question.method} ${result.question.url} ${
            result.question.body ?? ""
          }`
        ),
        retry: "never"
      })
    }
    const parts = result._tag === "Same" ? [] : displayed(result.parts)
    const versions = displayed(versionsText(bundle.versions, ownVersions))
    if (given.json) yield* print(jsonText({ same: result._tag === "Same", differences: parts, versions: bundle.versions }, 2))
    else {
      yield* print(
        ...(result._tag === "Same"
          ? [green("The same plan, byte for byte.")]
          : [red("Not the same plan."), ...parts.flatMap((part) => paragraph(part))]),
        ...versions
      )
    }
    if (result._tag !== "Same") return yield* new AnsweredNo({ retry: "never" })
  })).pipe(Command.withDescription(description))
