import { readFileSync } from 'node:fs'

/** Spellings of units and of their parts, and what they are in UCUM. */
export interface UnitSpellings {
  units: Map<string, string>
  parts: Map<string, string>
  volumes: Map<string, string>
  /** Words such as `Mio`, and the power of ten. */
  powers: Map<string, string>
  /** Words such as `creatinine` behind a part. */
  annotations: Map<string, string>
}

let spellings: UnitSpellings | undefined

/**
 * Returns the table of data/unit-spellings.txt. What it gives is valid UCUM, which a test proves
 * with
 * @lhncbc/ucum-lhc: so that package need not be loaded to read a report.
 */
export function getUnitSpellings(): UnitSpellings {
  spellings ??= readSpellings()
  return spellings
}

function readSpellings(): UnitSpellings {
  const read: UnitSpellings = {
    units: new Map(),
    parts: new Map(),
    volumes: new Map(),
    powers: new Map(),
    annotations: new Map(),
  }
  let section: Map<string, string> | undefined
  const text = readFileSync(new URL('../../data/unit-spellings.txt', import.meta.url), 'utf8')
  for (const line of text.split('\n')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? []
    if (name) section = read[name as keyof UnitSpellings]
    const [ucum, printed] = line.split(' | ')
    if (!ucum || !printed || line.startsWith('# ')) continue
    for (const spelling of printed.split('; ')) section?.set(spelling.trim(), ucum.trim())
  }
  return read
}
