const FORM = /^([A-Z]\d[0-9A-Z])\.?([0-9A-Z]{1,4})?$/

/**
 * A code of ICD-10-CM as the tables have it: upper case, without the dot (`e11.9` is `E119`).
 * Undefined for what has not the form of one.
 */
export function readCode(text: string): string | undefined {
  const [, category, detail = ''] = FORM.exec(text.trim().toUpperCase()) ?? []
  return category === undefined ? undefined : category + detail
}

/** A code as people read it, with the dot after the category: `E11.9`. */
export function writeCode(code: string): string {
  return code.length > 3 ? `${code.slice(0, 3)}.${code.slice(3)}` : code
}
