import { Config, Effect, Layer, Logger } from "effect"

/** `LOG_FORMAT`: `pretty` or `json`; by default pretty on a terminal and JSON elsewhere. Logs go to standard error. */
export const layer = Layer.unwrapEffect(
  Effect.map(
    Config.literal("pretty", "json")("LOG_FORMAT").pipe(
      Config.withDefault(process.stdout.isTTY === true ? "pretty" as const : "json" as const)
    ),
    (format) =>
      Logger.replace(
        Logger.defaultLogger,
        format === "pretty" ? Logger.prettyLogger({ stderr: true }) : Logger.withConsoleError(Logger.jsonLogger)
      )
  )
)
