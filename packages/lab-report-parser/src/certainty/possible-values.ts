import { readFileSync } from 'node:fs'

let limits: Map<string, { least: number; most: number }> | undefined

/** What a living person can have of an analyte (LOINC component) in a unit of UCUM; undefined where it is not known. */
export function findLimits(
  component: string,
  ucumUnit: string,
): { least: number; most: number } | undefined {
  limits ??= readLimits()
  return limits.get(`${component}|${ucumUnit}`)
}

/** Every component whose limits are known. */
export function listLimitedComponents(): string[] {
  limits ??= readLimits()
  return [...limits.keys()].map((key) => key.split('|')[0] ?? '')
}

function readLimits(): Map<string, { least: number; most: number }> {
  const text = readFileSync(new URL('../../data/possible-values.txt', import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(
    lines.flatMap((line) => {
      const [component = '', ...units] = line.split('|').map((part) => part.trim())
      return units.map((entry): [string, { least: number; most: number }] => {
        const [unit = '', least, most] = entry.split(' ')
        return [`${component}|${unit}`, { least: Number(least), most: Number(most) }]
      })
    }),
  )
}
