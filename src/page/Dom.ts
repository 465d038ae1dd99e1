type Child = Node | string | null

/** Makes an element with attributes and what stands in it. Texts go into the page as texts, never as markup. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: ReadonlyArray<Child>
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children.filter((child) => child !== null))
  return made
}

/** An element of the page that stands there from the start. */
export const at = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

/** Tells people, and readers of screens, what happens now. */
export const say = (text: string): void => {
  at("status").textContent = text
}

/** A button. */
export const button = (text: string, work: () => void, attributes: Readonly<Record<string, string>> = {}): HTMLButtonElement => {
  const made = el("button", { type: "button", ...attributes }, text)
  made.addEventListener("click", work)
  return made
}

/** A field with its label, its hint and the place of its problem. */
export const field = (
  id: string,
  label: string,
  control: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  hint: string | null = null
): ReadonlyArray<HTMLElement> => {
  control.id = id
  control.setAttribute("aria-describedby", hint === null ? `${id}-problem` : `${id}-hint ${id}-problem`)
  return [
    el("label", { for: id }, label),
    control,
    ...(hint === null ? [] : [el("p", { class: "quiet hint", id: `${id}-hint` }, hint)]),
    el("p", { class: "problem", id: `${id}-problem`, role: "alert" })
  ]
}

/** A field of one line. */
export const textInput = (attributes: Readonly<Record<string, string>> = {}): HTMLInputElement =>
  el("input", { autocomplete: "off", spellcheck: "false", ...attributes })

/** The text in a field, without white space around it. A secret seed in it is refused. */
export const textIn = (id: string): string => {
  const text = (at(id) as HTMLInputElement | HTMLTextAreaElement).value
  if (/(^|[^A-Z0-9])S[A-Z2-7]{55}([^A-Z0-9]|$)/.test(text)) {
    throw new Problem("This looks like a secret seed. It was not sent. Never paste it anywhere.", id)
  }
  return text.trim()
}

/** Something that a person can put right, with the field that it is about. */
export class Problem extends Error {
  readonly field: string | null
  constructor(message: string, field: string | null = null) {
    super(message)
    this.field = field
  }
}

const fieldOf = (problem: unknown, otherwise: string): string => (problem instanceof Problem ? problem.field ?? otherwise : otherwise)

const complain = (id: string, text: string): void => {
  const place = at(`${id}-problem`)
  place.textContent = text
  const control = document.getElementById(id)
  if (control !== null && control.matches("input, select, textarea")) {
    control.setAttribute("aria-invalid", "true")
    control.focus()
  }
  place.scrollIntoView({ block: "nearest" })
}

const clearProblems = (): void => {
  document.querySelectorAll(".problem").forEach((place) => (place.textContent = ""))
  document.querySelectorAll("[aria-invalid]").forEach((control) => control.removeAttribute("aria-invalid"))
}

/**
 * Runs work of a part of the page. The buttons that the page has when the work begins stay disabled until it ends, so no other work replaces
 * what it is about. Buttons that the work itself adds can be pressed. A problem without a field of its own is shown at the place named.
 */
export const doing = (place: string, work: () => Promise<void> | void) => async (event?: Event): Promise<void> => {
  event?.preventDefault()
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("#main button:enabled")]
  buttons.forEach((one) => (one.disabled = true))
  clearProblems()
  say("Working...")
  try {
    await work()
    if (at("status").textContent === "Working...") say("")
  } catch (problem) {
    say("")
    complain(fieldOf(problem, place), problem instanceof Error ? problem.message : "Something went wrong. Reload the page, then try again.")
  } finally {
    buttons.forEach((one) => (one.disabled = false))
  }
}

/** A part of the page with a heading, shown in place of an earlier one of that name. */
export const section = (id: string, heading: string, ...children: ReadonlyArray<Child>): HTMLElement => {
  const made = el(
    "section",
    { id, "aria-labelledby": `h-${id}` },
    el("h2", { id: `h-${id}`, tabindex: "-1" }, heading),
    ...children,
    el("p", { class: "problem", id: `${id}-problem`, role: "alert" })
  )
  document.getElementById(id)?.remove()
  at("main").append(made)
  return made
}

/** Takes parts of the page away. */
export const remove = (...ids: ReadonlyArray<string>): void => ids.forEach((id) => document.getElementById(id)?.remove())

/** Moves the reader to a part of the page. */
export const goTo = (id: string): void => {
  const heading = at(`h-${id}`)
  heading.focus()
  heading.scrollIntoView({ block: "start" })
}

/** Puts a text on the clipboard. */
export const copy = (what: string, text: () => string) => async (): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text())
    say(`${what} is copied.`)
  } catch {
    say(`${what} cannot be copied here: select it, and copy it with your keyboard or menu.`)
  }
}
