/** A test's change of an answer: null leaves it unchanged. */
export type Change = (answer: { readonly path: string; readonly body: Record<string, unknown> }) => unknown

/** A call that passed, by method and path. */
export interface Passed {
  readonly method: string
  readonly path: string
}

/** A `fetch` whose answers are changed on the way, with a record of the calls. */
export const intercepted = (change: Change): { readonly fetch: typeof globalThis.fetch; readonly passed: Array<Passed> } => {
  const passed: Array<Passed> = []
  return {
    passed,
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input instanceof Request ? input.url : input))
      passed.push({ method: init?.method ?? "GET", path: pathname })
      const response = await globalThis.fetch(input, init)
      const text = await response.text()
      const changed = response.status === 200 ? change({ path: pathname, body: JSON.parse(text) as Record<string, unknown> }) : null
      if (changed instanceof Response) return changed
      return new Response(changed === null || changed === undefined ? text : JSON.stringify(changed), {
        status: response.status,
        headers: response.headers.get("retry-after") === null ? {} : { "retry-after": response.headers.get("retry-after") ?? "" }
      })
    }
  }
}

/** The first transaction of a build's answer, changed. */
export const builtWith = (change: (transaction: Record<string, unknown>) => Record<string, unknown>): Change => ({ body, path }) => {
  const transactions = body["transactions"]
  if (!path.endsWith("/close/transactions") || !Array.isArray(transactions) || transactions.length === 0) return null
  return { ...body, transactions: transactions.map(change) }
}
