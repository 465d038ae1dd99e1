import { CliConfig, Command } from "@effect/cli"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Effect, Layer, Logger, LogLevel } from "effect"
import { accountCommand } from "./commands/AccountCommand.ts"
import { allowancesCommand } from "./commands/AllowancesCommand.ts"
import { batchCommand } from "./commands/BatchCommand.ts"
import { bundleCommand } from "./commands/BundleCommand.ts"
import { closeCommand } from "./commands/CloseCommand.ts"
import { explainCommand } from "./commands/ExplainCommand.ts"
import { keysCommand } from "./commands/KeysCommand.ts"
import { pathsCommand } from "./commands/PathsCommand.ts"
import { planCommand } from "./commands/PlanCommand.ts"
import { preflightCommand } from "./commands/PreflightCommand.ts"
import { replayCommand } from "./commands/ReplayCommand.ts"
import { revokeCommand } from "./commands/RevokeCommand.ts"
import { sandboxCommand } from "./commands/SandboxCommand.ts"
import { verifyCommand } from "./commands/VerifyCommand.ts"
import { byPerson, endingOf } from "./ExitCode.ts"
import { jsonText } from "./Foreign.ts"
import { overview } from "./Overview.ts"
import { hasColour, print, warn, withoutCodes } from "./Screen.ts"

const root = Command.make("closeout").pipe(
  Command.withDescription("Closes accounts of the Stellar network by the Account Close-out service."),
  Command.withSubcommands([
    accountCommand,
    preflightCommand,
    planCommand,
    closeCommand,
    batchCommand,
    bundleCommand,
    allowancesCommand,
    revokeCommand,
    pathsCommand,
    verifyCommand,
    explainCommand,
    replayCommand,
    keysCommand,
    sandboxCommand
  ])
)

const run = Command.run(root, { name: "closeout", version: "0.1.0" })

/** The library writes help with colours even to a file. */
const plainConsole = Effect.map(Effect.console, (console): Console.Console => ({
  ...console,
  log: (...texts) => console.log(...texts.map((text) => (typeof text === "string" ? withoutCodes(text) : text))),
  error: (...texts) => console.error(...texts.map((text) => (typeof text === "string" ? withoutCodes(text) : text)))
}))

/** `--name=value` as two arguments, since not every option of the library takes the one. */
const divided = (argument: string): ReadonlyArray<string> => {
  const [, name, value] = /^(--[a-z][a-z-]*)=(.*)$/s.exec(argument) ?? []
  return name === undefined || value === undefined ? [argument] : [name, value]
}

/** Says how a command failed. Addresses and ids stand whole: people copy and compare them. */
const refuse = (asJson: boolean, code: string, message: string, retry: string | null) =>
  asJson
    ? print(jsonText({ error: { code, message, retry } }))
    : warn(message)

const environment = Layer.mergeAll(
  NodeContext.layer,
  // Without this the library drops the value of an option in capitals.
  CliConfig.layer({ isCaseSensitive: true, showBuiltIns: false, showTypes: false }),
  Logger.minimumLogLevel(LogLevel.Error)
)

/** Runs the command line, and gives the status that the process ends with. */
export const closeout = (argv: ReadonlyArray<string>): Effect.Effect<number> => {
  const asJson = argv.includes("--json")
  const [first, ...more] = argv.slice(2)
  if (more.length === 0 && (first === undefined || first === "--help" || first === "-h")) return Effect.as(print(...overview), 0)
  const told = run([...argv.slice(0, 2), ...argv.slice(2).flatMap(divided)]).pipe(
    Effect.as(0),
    Effect.catchAllCause((cause) => {
      const { code, exitCode, message, retry, told } = endingOf(cause)
      const isTold = told === "everywhere" || (told === "as_text" && !asJson)
      return Effect.as(isTold ? Effect.void : refuse(asJson, code, message, retry), exitCode)
    }),
    // A signal interrupts the command: nothing above is reached then.
    Effect.onInterrupt(() => refuse(asJson, byPerson.code, byPerson.message, byPerson.retry)),
    Effect.provide(environment)
  )
  return hasColour ? told : Effect.flatMap(plainConsole, (console) => Console.withConsole(told, console))
}
