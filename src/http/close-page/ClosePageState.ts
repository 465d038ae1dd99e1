import { Config, type ConfigError, Effect, Option } from "effect"
import { publicUrlSetting } from "../../domain/PublicUrl.ts"
import { sep10Setting } from "../../keys/ServerIdentity.ts"
import { Networks } from "../../Networks.ts"

/** `CLOSE_PAGE`: `off` removes the page `/close` and its routes. */
export const closePageSetting = Config.withDefault(Config.literal("on", "off")("CLOSE_PAGE"), "on")

/** Whether the page can be used: `unset` where a real network is served without `SEP10_SECRET` or `PUBLIC_URL`, so that wallets could not tell who asks. */
export type ClosePageState = "on" | "off" | "unset"

/** Whether the page can be used here. A service of nothing but the sandbox needs no settings: nothing real is at stake. */
export const closePageState: Effect.Effect<ClosePageState, ConfigError.ConfigError, Networks> = Effect.gen(function*() {
  if ((yield* closePageSetting) === "off") return "off"
  const { enabled } = yield* Networks
  if ([...enabled.values()].every(({ sandbox }) => sandbox)) return "on"
  const isNamed = Option.isSome(yield* publicUrlSetting)
  return isNamed && (yield* sep10Setting) !== null ? "on" : "unset"
})
