/** Output of commands that a page shows. */
export interface PastedOutput {
  /** Lines of the block of commands before it, and its own. */
  commandsLine: number
  line: number
  text: string
}

const BLOCK = /^```([^\n]*)$\n([\s\S]*?)^```$/gm
/**
 * Languages of outputs. Outputs by hand and examples are marked behind the language and are not
 * checked.
 */
const OUTPUTS: readonly string[] = ['', 'text', 'json']

/** Returns the outputs on a page: blocks without commands behind one that runs, up to the next. */
export function readPastedOutputs(page: string): PastedOutput[] {
  let commandsLine: number | undefined
  const outputs: PastedOutput[] = []
  for (const { index, 1: language = '', 2: text = '' } of page.matchAll(BLOCK)) {
    const line = page.slice(0, index).split('\n').length
    if (language === 'sh run') commandsLine = line
    else if (commandsLine !== undefined && OUTPUTS.includes(language)) {
      outputs.push({ commandsLine, line, text })
    }
  }
  return outputs
}

/**
 * Values that differ in each run, with their placeholders. Times of made-up data, before 2025, are
 * the same each time.
 */
const ANOTHER_EACH_TIME: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/\b20\d{6}T\d{6}Z-[0-9a-f]{8}/g, 'BACKUP'],
  [/\b20(?:2[5-9]|[3-9]\d)-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?/g, 'TIME'],
  [/\b(?:msg|sc|sk_us|pk_us|mg|whsec|rt)_(?:…|[\w+/=*-]+…?)/g, 'KEY'],
  [/\bsk[a-z]{2}[0-9a-f]{8}\b/g, 'CODE'],
  [/\beyJ(?:…|[\w.+/=-]+…?)/g, 'TOKEN'],
  [/\b[0-9a-f]{32,}\b/g, 'HASH'],
  [/\bschema \d{4} \w+/g, 'SCHEMA'],
  [/\b127\.0\.0\.1:\d+/g, 'ADDRESS'],
  [/\b\d+(?:\.\d+)? (?:ms|s|kB|MB|GB|tables)(?![\w/])/g, 'AMOUNT'],
  [/─+|-{3,}/g, 'LINE'],
  [/\s+/g, ''],
]

/** @param folder Folder of the copy in which it ran, which pages call /srv/salus/ */
function toComparable(text: string, folder: string): string {
  const named = text.replaceAll(folder, '/srv/salus')
  return ANOTHER_EACH_TIME.reduce((changed, [what, by]) => changed.replaceAll(what, by), named)
}

/** A command that is shown above its output, with its continuation lines. */
const TYPED = /^\$ (?:.*\\\n)*.*$/gm

/**
 * Returns the lines of a pasted output that the commands did not print. Blanks do not count, so
 * JSON may be indented; `…` stands for any text, and a comma at the end of a line is ignored.
 */
export function findUnprinted(pasted: string, printed: string, folder: string): string[] {
  const came = toComparable(printed, folder)
  return pasted
    .replaceAll(TYPED, '')
    .split('\n')
    .filter((line) => {
      const parts = toComparable(line, folder).replace(/,$/, '').split('…').map(RegExp.escape)
      return !new RegExp(parts.join('.*')).test(came)
    })
}
