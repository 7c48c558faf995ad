/** The server removes an upload after a day; an older note is of no use. */
const KEPT_MS = 2 * 24 * 60 * 60 * 1000
const KEY = 'salus-uploads'

interface Note {
  id: string
  /** Milliseconds of the epoch. */
  at: number
}

function readNotes(): Record<string, Note> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}')
  } catch {
    return {}
  }
}

/** Returns the id of the upload that this browser began; undefined without one. */
export const findUploadNote = (identity: string): string | undefined => readNotes()[identity]?.id

/** Keeps the id of an upload in this browser, for when the page is opened again. */
export function saveUploadNote(identity: string, id: string): void {
  const recent = Object.entries(readNotes()).filter(([, { at }]) => Date.now() - at < KEPT_MS)
  const notes = { ...Object.fromEntries(recent), [identity]: { id, at: Date.now() } }
  try {
    localStorage.setItem(KEY, JSON.stringify(notes))
  } catch {
    // A browser that keeps nothing begins again.
  }
}
