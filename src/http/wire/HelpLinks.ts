import { type ConfigError, Context, Effect, Layer, Option } from "effect"
import { publicUrlSetting } from "../../domain/PublicUrl.ts"

/** How blockers and warnings name their page, inside of JSON. No text of anybody can look like it: there, quotes are escaped. */
const within = "\"helpUrl\":\"docs/"

/** How the links of an answer, as JSON text, are made such that a caller can follow them. */
export class HelpLinks extends Context.Reference<HelpLinks>()("closeout/http/HelpLinks", {
  defaultValue: () => (json: string): string => json
}) {}

/** Links under `PUBLIC_URL`; without it they stay what they are, paths of the project's repository, and of this service as well. */
export const layer: Layer.Layer<HelpLinks, ConfigError.ConfigError> = Layer.effect(
  HelpLinks,
  Effect.map(
    publicUrlSetting,
    Option.match({
      onNone: () => (json: string) => json,
      onSome: ({ origin, pathname }) => {
        const absolute = within.replace("docs/", `${origin}${pathname.replace(/\/*$/, "")}/docs/`)
        return (json: string) => json.replaceAll(within, () => absolute)
      }
    })
  )
)
