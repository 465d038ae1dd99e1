import { button, el, field } from "./Dom.ts"

/** A button that saves a bundle as a file, as the command line writes and reads it. */
export const saveBundle = (text: string): HTMLButtonElement =>
  button("Save it as a file", () => {
    const href = URL.createObjectURL(new Blob([text], { type: "application/json" }))
    el("a", { href, download: "close.bundle.json" }).click()
    URL.revokeObjectURL(href)
  })

/** A field that takes a bundle from a file into a field of text, where it is looked at like one that was pasted. */
export const bundleFile = (text: HTMLTextAreaElement): ReadonlyArray<HTMLElement> => {
  const input = el("input", { type: "file", accept: ".json,application/json" })
  input.addEventListener("change", () => void input.files?.[0]?.text().then((content) => (text.value = content)))
  return field("bundle-file", "Or a file", input)
}
