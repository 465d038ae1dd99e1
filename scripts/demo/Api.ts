/** The public API as any client calls it: JSON over HTTP with a bearer key. */
export interface Api {
  readonly get: <Answer>(path: string) => Promise<Answer>
  readonly post: <Answer>(path: string, body: unknown) => Promise<Answer>
}

interface ErrorEnvelope {
  readonly error: { readonly code: string; readonly message: string; readonly details?: unknown }
}

export const apiAt = (baseUrl: string, key: string): Api => {
  const call = async <Answer>(path: string, request: RequestInit): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}`, {
      ...request,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer as Answer
    const { error } = answer as ErrorEnvelope
    throw new Error(`${path} answered ${response.status} ${error.code}: ${error.message} ${JSON.stringify(error.details ?? {})}`)
  }
  return {
    get: (path) => call(path, { method: "GET" }),
    post: (path, body) => call(path, { method: "POST", body: JSON.stringify(body) })
  }
}
