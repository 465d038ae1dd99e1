/** The public API as any client calls it: JSON over HTTP with a bearer key. */
export interface Api {
  readonly post: <Answer>(path: string, body: unknown) => Promise<Answer>
}

interface ErrorEnvelope {
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown }
}

export const apiAt = (baseUrl: string, key: string): Api => ({
  post: async <Answer>(path: string, body: unknown) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer as Answer
    const { error } = answer as ErrorEnvelope
    throw new Error(`${path} answered ${response.status} ${error.code}: ${error.message} ${JSON.stringify(error.details ?? {})}`)
  }
})
