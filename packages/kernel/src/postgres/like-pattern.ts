/** The text as a pattern of LIKE takes it: its wildcards stand for themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (special) => `\\${special}`)
}
