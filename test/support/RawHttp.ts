/** One answer of a connection. */
export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const fieldsOf = (lines: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]))

/** The complete answers in a connection's bytes, separated by their lengths. */
export const answersIn = (received: string): ReadonlyArray<RawAnswer> => {
  const found: Array<RawAnswer> = []
  for (let at = 0;;) {
    const end = received.indexOf("\r\n\r\n", at)
    if (end < 0) return found
    const [first = "", ...lines] = received.slice(at, end).split("\r\n")
    const headers = fieldsOf(lines)
    const body = received.slice(end + 4, end + 4 + Number(headers["content-length"] ?? 0))
    if (body.length < Number(headers["content-length"] ?? 0)) return found
    found.push({ status: Number(first.split(" ")[1]), headers, body })
    at = end + 4 + body.length
  }
}

/** This many complete answers. */
export const answers = (count: number) => (received: string): boolean => answersIn(received).length >= count

/** The head of a request. */
export const head = (method: string, path: string, headers: Readonly<Record<string, string>>): string =>
  `${method} ${path} HTTP/1.1\r\n${
    Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }\r\n`

/** A piece of a body of unknown length. */
export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** The statuses of all answers, as texts. */
export const statuses = (received: string): ReadonlyArray<string> => answersIn(received).map(({ status }) => String(status))
