import type { FileSystem } from "@effect/platform"
import { ConfigError, Effect, Either } from "effect"
import { isSlip, nearestName } from "../domain/NearestName.ts"
import { networks } from "../domain/Network.ts"
import { type Setting, type SettingFailure, settings } from "./Settings.ts"

/** What is wrong with one setting. */
export interface SettingProblem {
  readonly setting: string
  /** In words, without the value: it may be a secret. */
  readonly problem: string
  /** How it could be written. */
  readonly example: string
}

const known = settings.flatMap(({ names }) => names)

/** A problem, and the setting that it names; undefined where it names none. */
interface NamedProblem {
  readonly setting: string | undefined
  readonly problem: string
}

const problemsOfConfig = (error: ConfigError.ConfigError): ReadonlyArray<NamedProblem> => {
  switch (error._op) {
    case "And":
    case "Or":
      return [...problemsOfConfig(error.left), ...problemsOfConfig(error.right)]
    case "MissingData":
      return [{ setting: error.path.at(-1), problem: "is required, and is not set or empty" }]
    case "InvalidData":
    case "SourceUnavailable":
    case "Unsupported":
      return [{ setting: error.path.at(-1), problem: error.message }]
  }
}

const problemsOfFailure = (failure: SettingFailure): ReadonlyArray<NamedProblem> =>
  ConfigError.isConfigError(failure) ? problemsOfConfig(failure) : [{ setting: undefined, problem: failure.message }]

/** What was given is not repeated: a line of a library may quote it. */
const withoutValue = (text: string): string => text.replace(/ but received .*$/s, "")

const exampleOf = (setting: string): string => {
  const found = settings.find(({ names: [first] }) => first === setting)
  return found === undefined ? "" : `${setting}=${found.example}`
}

/** What a failure says of settings. `first`: which is meant where it names none. */
export const problemsIn = (failure: SettingFailure, first: string): ReadonlyArray<SettingProblem> =>
  problemsOfFailure(failure).map(({ problem, setting = first }) => ({
    setting,
    problem: withoutValue(problem),
    example: exampleOf(setting)
  }))

const problemsOf = ({ check, names: [first] }: Setting) =>
  Effect.map(Effect.either(check), Either.match({ onLeft: (failure) => problemsIn(failure, first), onRight: () => [] }))

/** Names that only this service uses: an operator who sets one means it. */
const ownPrefixes = networks.flatMap((network) => [`${network.toUpperCase()}_`])

/** Set, and of no effect: misspelt, or of another version. Names that resemble none of ours are someone else's. */
const unknownIn = (names: ReadonlyArray<string>): ReadonlyArray<SettingProblem> =>
  names.filter((name) => !known.includes(name)).flatMap((name) => {
    const isOurs = ownPrefixes.some((prefix) => name.startsWith(prefix)) || known.some((one) => isSlip(name, one))
    const nearest = isOurs ? nearestName(name, known) : null
    if (nearest === null) return []
    return [{ setting: name, problem: `is not a setting; the nearest one is ${nearest}`, example: exampleOf(nearest) }]
  })

/** Everything that is wrong with the settings, each problem once. `names`: what the environment sets. */
export const settingProblems = (names: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<SettingProblem>, never, FileSystem.FileSystem> =>
  Effect.map(Effect.forEach(settings, problemsOf), (all) => [
    ...new Map([...all.flat(), ...unknownIn(names)].map((one) => [`${one.setting} ${one.problem}`, one])).values()
  ])
