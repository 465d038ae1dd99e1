import { Problem } from "./Dom.ts"

interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly details?: { readonly issues?: ReadonlyArray<{ readonly message: string }> }
  }
}

const parsed = async (answer: Response): Promise<unknown> => {
  try {
    return JSON.parse(await answer.text())
  } catch {
    return null
  }
}

const isError = (body: unknown): body is ErrorBody => typeof body === "object" && body !== null && "error" in body

/** What something between this page and the service answered in its place. */
const unreadable = (status: number): string => {
  if (status === 429) return "Too many requests. Wait a minute, then try again."
  if (status >= 500) return `The service cannot be reached now (status ${status}). Wait a minute, then try again.`
  return `Something between this page and the service answered in its place (status ${status}). Reload the page, then try again.`
}

const fieldOfCode: Readonly<Record<string, string>> = {
  invalid_address: "address",
  invalid_destination: "destination",
  invalid_memo: "memo",
  memo_required: "memo",
  destination_unusable: "destination"
}

const refusal = ({ error: { code, details, message } }: ErrorBody): Problem => {
  const issue = code === "invalid_body" || code === "invalid_decisions" ? details?.issues?.[0]?.message : undefined
  const field = fieldOfCode[code] ?? null
  return new Problem(
    issue === undefined ? message : `${message} ${issue}`,
    field !== null && document.getElementById(field) !== null ? field : null
  )
}

/** Asks the service. The session's token stays in the page's memory. */
export const call = async <A>(path: string, body: object, token: string | null = null): Promise<A> => {
  let answer: Response
  try {
    answer = await fetch(path, {
      method: "POST",
      redirect: "error",
      headers: { "content-type": "application/json", ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body)
    })
  } catch {
    throw new Problem("The service cannot be reached. Check your connection, then try again.")
  }
  const received = await parsed(answer)
  if (answer.ok && received !== null) return received as A
  if (answer.status === 401 && token !== null) throw new Problem("The session is over. Sign in again: what is done stays done.")
  throw isError(received) ? refusal(received) : new Problem(unreadable(answer.status))
}
