/** What a request carries. */
interface RequestOptions {
  readonly key?: string
  /** JSON for a POST; omitted: a GET. */
  readonly body?: string
  /** The expected statuses; omitted: 200 only. */
  readonly statuses?: ReadonlyArray<number>
}

/** The text of an answer. Fails where its status is not expected, so that no figure measures an error. */
export const answerText = async (url: string, { body, key, statuses = [200] }: RequestOptions = {}): Promise<string> => {
  const answer = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body })
  })
  const text = await answer.text()
  if (!statuses.includes(answer.status)) throw new Error(`${new URL(url).pathname} answered ${answer.status} ${text.slice(0, 300)}`)
  return text
}
