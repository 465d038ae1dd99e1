/**
 * A `fetch` that ends when the whole answer has arrived. A connection that breaks off in the body is then a failure of the call, as one that
 * breaks off before it. It rejects as `fetch` does.
 */
export const wholeAnswers = (fetch: typeof globalThis.fetch): typeof globalThis.fetch => async (input, init) => {
  const answer = await fetch(input, init)
  const { body, headers, status, statusText } = answer
  return body === null ? answer : new Response(await answer.arrayBuffer(), { headers, status, statusText })
}
