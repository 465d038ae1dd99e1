import { Effect } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** The path of a browser; null where there is none. */
export const chromium: string | null = places.find((place) => existsSync(place)) ?? null

interface Answer {
  readonly id?: number
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** A page of a headless browser, driven by its debugging protocol. */
export interface BrowserPage {
  /** Sends a command and gives its result. */
  readonly send: (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>
  /** The value of an expression on the page; a promise is awaited. */
  readonly evaluate: (expression: string) => Promise<unknown>
  /** Waits until an expression on the page is true. */
  readonly until: (expression: string) => Promise<void>
  /** Types a text into the focused element, as a keyboard would. */
  readonly type: (text: string) => Promise<void>
  /** Presses a key: Tab, Enter, Space, Backspace. */
  readonly press: (key: "Tab" | "Enter" | " ") => Promise<void>
  /** Requests of that method get this answer instead of the service's, once `Fetch.enable` names their addresses; others continue. */
  readonly answerRequests: (method: string, answer: object) => void
  /** The page's dialogs, the newest last. */
  readonly questions: ReadonlyArray<string>
  /** Sets the answer to the page's dialogs from now on; before the first call it is yes. */
  readonly answerWith: (yes: boolean) => void
  /** Addresses that the page requested. */
  readonly asked: ReadonlyArray<string>
  /** The browser's error messages. */
  readonly complaints: ReadonlyArray<string>
}

const codes = { Tab: 9, Enter: 13, " ": 32 } as const
const texts = { Tab: undefined, Enter: "\r", " ": " " } as const

const connected = async (address: string): Promise<BrowserPage> => {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve)
    socket.addEventListener("error", reject)
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  const asked: Array<string> = []
  const complaints: Array<string> = []
  const questions: Array<string> = []
  let accept = true
  let instead: { readonly method: string; readonly answer: object } | null = null
  let next = 0
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) return waiting.get(answer.id)?.(answer)
    const { method, params = {} } = answer
    if (method === "Network.requestWillBeSent") asked.push((params["request"] as { readonly url: string }).url)
    if (method === "Log.entryAdded" || method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(params))
    if (method === "Fetch.requestPaused") {
      const { request, requestId } = params as { readonly requestId: string; readonly request: { readonly method: string } }
      if (instead?.method === request.method) void send("Fetch.fulfillRequest", { requestId, ...instead.answer })
      else void send("Fetch.continueRequest", { requestId })
    }
    if (method !== "Page.javascriptDialogOpening") return
    questions.push(String(params["message"]))
    void send("Page.handleJavaScriptDialog", { accept })
  })
  const send = async (method: string, params: object = {}) => {
    const id = ++next
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    waiting.delete(id)
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result ?? {}
  }
  const evaluate = async (expression: string) => {
    const { exceptionDetails, result } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true })
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { readonly value?: unknown }).value
  }
  for (const domain of ["Page", "Network", "Log", "Runtime"]) await send(`${domain}.enable`)
  return {
    send,
    evaluate,
    asked,
    complaints,
    questions,
    answerRequests: (of, answer) => void (instead = { method: of, answer }),
    answerWith: (yes) => void (accept = yes),
    until: async (expression) => {
      // The page itself waits, in its own animation frames.
      await evaluate(`new Promise((done) => { const look = () => (${expression}) ? done() : setTimeout(look, 20); look() })`)
    },
    type: async (text) => void await send("Input.insertText", { text }),
    press: async (key) => {
      const facts = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: codes[key], text: texts[key] }
      await send("Input.dispatchKeyEvent", { type: texts[key] === undefined ? "rawKeyDown" : "keyDown", ...facts })
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...facts, text: undefined })
    }
  }
}

/** A headless browser with one empty page, closed with the scope. */
export const browserPage = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "browser-"))
    const browser = spawn(chromium ?? "", [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--disable-background-networking",
      "--remote-debugging-port=0",
      `--user-data-dir=${folder}`,
      "about:blank"
    ], { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, TMPDIR: folder } })
    const root = await new Promise<string>((resolve, reject) => {
      let told = ""
      browser.stderr.on("data", (chunk) => {
        told += String(chunk)
        const found = /DevTools listening on ws:\/\/([^/]+)\//.exec(told)
        if (found?.[1] !== undefined) resolve(found[1])
      })
      browser.on("exit", () => reject(new Error(`the browser ended: ${told.slice(-500)}`)))
    })
    const pages = await (await fetch(`http://${root}/json/list`)).json() as ReadonlyArray<
      { readonly type: string; readonly webSocketDebuggerUrl: string }
    >
    const page = pages.find(({ type }) => type === "page")
    return { page: await connected(page?.webSocketDebuggerUrl ?? ""), browser, folder }
  }),
  ({ browser, folder }) =>
    Effect.promise(async () => {
      const ended = new Promise((resolve) => browser.once("exit", resolve))
      browser.kill("SIGKILL")
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    })
).pipe(Effect.map(({ page }) => page))
