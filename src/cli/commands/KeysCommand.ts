import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { called } from "../../client/ServiceClient.ts"
import type { ApiKeyRecord } from "../../domain/ApiKeyRecord.ts"
import { wrongInput } from "../CommandFailed.ts"
import { displayed, jsonText } from "../Foreign.ts"
import { keyClient, keyOptions } from "../KeySession.ts"
import { bold, print } from "../Screen.ts"

const stateOf = ({ expiresAt, revokedAt }: ApiKeyRecord): string => {
  if (revokedAt !== null) return `revoked ${revokedAt}`
  return expiresAt === null ? "live" : `live until ${expiresAt}`
}

const row = (record: ApiKeyRecord): string =>
  `  ${record.id}  …${record.last4 ?? "????"}  ${record.owner}${record.label === null ? "" : ` "${record.label}"`}, ${stateOf(record)}`

const issued = (json: boolean, { key, record }: { readonly key: string; readonly record: ApiKeyRecord }) =>
  json
    ? print(jsonText({ key, record }, 2))
    : print(bold("The new key. It is shown this once:"), `  ${displayed(key)}`, row(displayed(record)))

const id = Args.text({ name: "id" }).pipe(Args.withDescription("The id of the key's record"))
const label = Options.text("label").pipe(Options.withDescription("A name for the key"), Options.optional)
const graceSeconds = Options.integer("grace-seconds").pipe(
  Options.withDescription("For how long the old key may still be used. Default: 0"),
  Options.optional
)
const owner = Options.text("owner").pipe(Options.withDescription("Who the key is for; with --admin only"), Options.optional)

const list = Command.make("list", { ...keyOptions, owner }, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const client = yield* keyClient(input)
    const urlParams = Option.isSome(input.owner) ? { owner: input.owner.value } : {}
    const { keys } = yield* called<{ readonly keys: ReadonlyArray<ApiKeyRecord> }>(
      input.admin ? client.admin.list({ urlParams }) : client.myKeys.list({})
    )
    const rows = keys.length === 0 ? ["There are no keys."] : displayed(keys).map(row)
    yield* print(...(input.json ? [jsonText({ keys }, 2)] : rows))
  }))).pipe(Command.withDescription("Lists API keys."))

const create = Command.make("create", { ...keyOptions, owner, label }, (input) =>
  Effect.scoped(Effect.gen(function*() {
    if (input.admin && Option.isNone(input.owner)) return yield* wrongInput("Who is the key for? Name it by --owner.")
    const client = yield* keyClient(input)
    const terms = Option.isSome(input.label) ? { label: input.label.value } : {}
    const payload = { owner: Option.getOrElse(input.owner, () => ""), ...terms }
    const made = yield* called(input.admin ? client.admin.create({ payload }) : client.myKeys.create({ payload: terms }))
    yield* issued(input.json, made)
  }))).pipe(Command.withDescription("Makes an API key. It is shown once."))

const rotate = Command.make("rotate", { id, ...keyOptions, graceSeconds }, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const client = yield* keyClient(input)
    const payload = Option.isSome(input.graceSeconds) ? { graceSeconds: input.graceSeconds.value } : {}
    const request = { path: { id: input.id }, payload }
    yield* issued(input.json, yield* called(input.admin ? client.admin.rotate(request) : client.myKeys.rotate(request)))
  }))).pipe(Command.withDescription("Replaces an API key by a new one, which is shown once."))

const revoke = Command.make("revoke", { id, ...keyOptions }, (input) =>
  Effect.scoped(Effect.gen(function*() {
    const client = yield* keyClient(input)
    const request = { path: { id: input.id } }
    const { record } = yield* called(input.admin ? client.admin.revoke(request) : client.myKeys.revoke(request))
    yield* print(input.json ? jsonText({ record }, 2) : row(displayed(record)))
  }))).pipe(Command.withDescription("Revokes an API key."))

const description = `Manages API keys: those of an account, which signs a challenge, or with --admin those of all owners.

Examples:
  CLOSEOUT_URL=https://closeout.example closeout keys create --label "my laptop"
  closeout keys list --admin --owner "Example Ltd"
  closeout keys rotate --grace-seconds 3600 ID`

/** `closeout keys`. */
export const keysCommand = Command.make("keys").pipe(
  Command.withDescription(description),
  Command.withSubcommands([list, create, rotate, revoke])
)
