/** Bytes of an answer that are read. No answer of a service or a source is nearly as large. */
const largestAnswer = 64 * 1024 * 1024

/** Passes on a body, and fails where it is too large. */
const bounded = (): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> => {
  let size = 0
  return new TransformStream({
    transform: (chunk, passed) => {
      size += chunk.length
      if (size > largestAnswer) throw new Error("the answer is too large")
      passed.enqueue(chunk)
    }
  })
}

/**
 * A `fetch` that ends when the whole answer has arrived. A connection that breaks off in the body is then a failure of the call, as one that
 * breaks off before it. It rejects as `fetch` does, and where the body has more than 64 MiB.
 */
export const wholeAnswers = (fetch: typeof globalThis.fetch): typeof globalThis.fetch => async (input, init) => {
  const answer = await fetch(input, init)
  const { body, headers, status, statusText } = answer
  if (body === null) return answer
  const whole = await new Response(body.pipeThrough(bounded())).arrayBuffer()
  return new Response(whole, { headers, status, statusText })
}
