/** A request to the service and its answer, as a line of the recording. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly request: string
  readonly status: number
  readonly contentType: string
  readonly response: string
}

/** A route as the document has it. */
export interface Route {
  readonly operationId: string
  readonly method: string
  readonly template: string
}

export type Examples = Readonly<Record<string, unknown>>

/** Most characters of an example: the longest recorded one within them is the most informative. */
const longest = { error: 900, route: 6000 }

/** Values that vary between recordings, and secrets, are replaced by one fixed value. */
const masks: ReadonlyArray<readonly [RegExp, string]> = [
  [/"requestId":"[^"]+"/g, "\"requestId\":\"00000000-0000-0000-0000-000000000000\""],
  [/lk_[A-Za-z0-9_-]{43}/g, `lk_${"A".repeat(43)}`],
  [/"token":"(?!C[A-Z2-7]{55}")[^"]+"/g, "\"token\":\"the-token-of-the-session\""],
  [/"last4":"[^"]+"/g, "\"last4\":\"AAAA\""],
  // Some tests set PUBLIC_URL; without it this is a path.
  [/"helpUrl":"http:\/\/127\.0\.0\.1:\d+/g, "\"helpUrl\":\""],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:8000"],
  [/"avgLatencyMs":[0-9.]+/g, "\"avgLatencyMs\":1"]
]

const masked = (text: string): string => masks.reduce((made, [pattern, fixed]) => made.replaceAll(pattern, fixed), text)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(masked(text))
  } catch {
    return undefined
  }
}

/** The longest of at most this many characters, or else the shortest. */
const fullest = (exchanges: ReadonlyArray<Exchange>, most: number): Exchange | undefined => {
  const byLength = exchanges.toSorted((one, other) => one.response.length - other.response.length)
  return byLength.findLast(({ response }) => response.length <= most) ?? byLength[0]
}

const matches = ({ method, template }: Route): (exchange: Exchange) => boolean => {
  const pattern = new RegExp(`^${template.replaceAll(/\{[a-z]+\}/gi, "[^/]+")}$`)
  return (exchange) => exchange.method === method && pattern.test(exchange.path.split("?")[0] ?? "")
}

const routeExamples = (route: Route, recorded: ReadonlyArray<Exchange>): Examples => {
  const here = recorded.filter(matches(route)).filter(({ contentType }) => contentType.startsWith("application/json"))
  const of = (status: number) => {
    const answered = here.filter((one) => one.status === status)
    // Some routes accept no body: an example has one.
    const posted = answered.filter(({ request }) => request !== "")
    return fullest(posted.length > 0 ? posted : answered, longest.route)
  }
  const answers = [200, 201].flatMap((status) => of(status) ?? [])
  return Object.fromEntries(answers.flatMap((one) => {
    const request = one.request === "" ? undefined : parsed(one.request)
    return [
      [`${route.operationId}_${one.status}`, parsed(one.response)],
      ...(request === undefined ? [] : [[`${route.operationId}_request`, request]])
    ]
  }))
}

const errorExample = (code: string, recorded: ReadonlyArray<Exchange>): Examples => {
  const found = fullest(recorded.filter(({ response, status }) => status >= 400 && response.includes(`"code":"${code}"`)), longest.error)
  return found === undefined ? {} : { [`error_${code}`]: parsed(found.response) }
}

/** The examples of a recording: the answer of every route that returns JSON, with its request, and one for every error code. */
export const examplesOf = (routes: ReadonlyArray<Route>, codes: ReadonlyArray<string>, recorded: ReadonlyArray<Exchange>): Examples =>
  Object.assign(
    {},
    ...routes.filter(({ operationId }) => operationId !== "getOpenApi").map((route) => routeExamples(route, recorded)),
    ...codes.map((code) => errorExample(code, recorded))
  )

/** Examples sorted by name; kept ones win, so that a new recording adds only missing ones. */
export const merged = (kept: Examples, found: Examples): Examples =>
  Object.fromEntries(Object.entries({ ...found, ...kept }).toSorted(([one], [other]) => (one < other ? -1 : 1)))
