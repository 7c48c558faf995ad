import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export interface SourceFile {
  /** From the root of the repository. */
  path: string
  text: string
  lines: string[]
  /** Files of this repository that it imports, as paths from the root. */
  imports: string[]
}

const IMPORT =
  /(?:^|\n)(?:import|export)\s[^'"`;]*?from '(\.[^']+|@salus\/[^']+)'|(?:^|\n)import '(\.[^']+)'/g

/** What a package lets others import, as paths from the root by the names that imports use. */
const EXPORTS = new Map(
  globSync('packages/*/package.json', { cwd: ROOT }).flatMap((path): [string, string][] => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
    return Object.entries<string>(exports).map(([entry, file]) => [
      posix.join(name, entry),
      posix.join(dirname(path), file),
    ])
  }),
)

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const imports = [...text.matchAll(IMPORT)].map(([, from, bare]) => {
    const name = from ?? bare ?? ''
    return EXPORTS.get(name) ?? posix.normalize(posix.join(dirname(path), name))
  })
  return { path, text, lines: text.split('\n'), imports }
}

/** Reads the files that match patterns, written from the root of the repository. */
export function readSourceFiles(...patterns: string[]): SourceFile[] {
  return globSync(patterns, { cwd: ROOT, exclude: (name) => name === 'node_modules' })
    .sort()
    .map(readSourceFile)
}

/** A function at the top level of a file. */
export interface TopLevelFunction {
  name: string
  parameters: string[]
  lineCount: number
}

/** Splits at the commas that are in no bracket. */
function splitParameters(text: string): string[] {
  const parts: string[] = ['']
  let depth = 0
  for (const letter of text) {
    if ('({[<'.includes(letter)) depth += 1
    if (')}]>'.includes(letter)) depth -= 1
    if (letter === ',' && depth === 0) parts.push('')
    else parts.push(parts.pop() + letter)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/** The text between the bracket that opens at `start` and the one that closes it. */
function insideBrackets(text: string, start: number): string {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth === 0) return text.slice(start + 1, index)
  }
  return ''
}

/** Top-level functions. The formatter writes their closing brace alone at the start of a line. */
export function functionsOf({ text }: SourceFile): TopLevelFunction[] {
  return [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)/gm)].map((match) => {
    const rest = text.slice(match.index)
    const end = rest.indexOf('\n}\n')
    const body = end === -1 ? rest : rest.slice(0, end + 2)
    return {
      name: match[1] ?? '',
      parameters: splitParameters(insideBrackets(rest, rest.indexOf('('))),
      lineCount: body.split('\n').length,
    }
  })
}
