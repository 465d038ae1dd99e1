/**
 * Who can do something about it. `caller`: the program that calls the API. `owner`: the holder of the account. `operator`: who runs this
 * service. `others`: an issuer, a sponsor, an exchange, or another party that the message names. `time`: no one needs to do more than wait.
 */
export type By = "caller" | "owner" | "operator" | "others" | "time"

/** The same in words. */
export const who: Readonly<Record<By, string>> = {
  caller: "the program that calls",
  owner: "the account's owner",
  operator: "the operator of the service",
  others: "others, named in the message",
  time: "no one: wait"
}

/** The address of the text about an error, a blocker or a warning, as a path of this service. */
export const helpUrlOf = (kind: "error" | "blocker" | "warning", code: string): string => `/docs/errors.md#${kind}-${code}`

/** What to do about an error, a blocker or a warning, and by whom. Sentences for the documentation. */
export interface Remedy {
  readonly remedy: string
  readonly by: ReadonlyArray<By>
}

/** The same with its cause. */
export interface Help extends Remedy {
  readonly cause: string
}

/** Makes an entry of a table of help. */
export const help = (cause: string, remedy: string, ...by: ReadonlyArray<By>): Help => ({ cause, remedy, by })

/** Makes an entry of a table of remedies. */
export const remedy = (text: string, ...by: ReadonlyArray<By>): Remedy => ({ remedy: text, by })
