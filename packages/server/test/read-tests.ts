import { posix } from 'node:path'
import type { SourceFile } from './source-files.ts'

/** A test or a named function, as text without comments, strings and regular expressions. */
interface Block {
  name: string
  line: number
  body: string
}

const CONTENT =
  /(\/\*.*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|`/gs

/** Blanks all that is no code, and keeps each character where it is. */
export function blankTexts(text: string): string {
  let blanked = ''
  let from = 0
  CONTENT.lastIndex = 0
  for (let found = CONTENT.exec(text); found !== null; found = CONTENT.exec(text)) {
    const end = found[1] === undefined ? endOfTemplate(text, found.index) : CONTENT.lastIndex
    const content = text.slice(found.index, end)
    blanked += text.slice(from, found.index) + content.replace(/[^\n]/g, ' ')
    from = end
    CONTENT.lastIndex = end
  }
  return blanked + text.slice(from)
}

/** The end of the template that begins at `start`, whose expressions may hold templates too. */
function endOfTemplate(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === '`') return index + 1
    else if (text.startsWith('${', index)) index = endOfExpression(text, index + 2)
  }
  return text.length
}

/** The brace that closes an expression of a template. */
function endOfExpression(text: string, start: number): number {
  let depth = 1
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '`') index = endOfTemplate(text, index) - 1
    else if (text[index] === '{') depth += 1
    else if (text[index] === '}') depth -= 1
    if (depth === 0) return index
  }
  return text.length
}

/** Ends where the brackets that are open at `start` are closed and the statement ends. */
function endOfBlock(code: string, start: number): number {
  let depth = 0
  for (let index = start; index < code.length; index += 1) {
    const letter = code[index] ?? ''
    if ('([{'.includes(letter)) depth += 1
    if (')]}'.includes(letter)) depth -= 1
    if (depth < 0) return index
    const isEnd =
      letter === '\n' && depth === 0 && !/^\s*[.?:|&+]|^ *\)/.test(code.slice(index + 1))
    if (isEnd && !/(=|=>|\|\||&&|\?|:)$/.test(code.slice(start, index).trimEnd())) return index
  }
  return code.length
}

/** Blocks whose beginning matches; the first group that matches is the name. */
function readBlocks(code: string, beginning: RegExp): Block[] {
  return [...code.matchAll(beginning)].map((match) => {
    const begin = match.index + match[0].length - 1
    return {
      name: match.slice(1).find((group) => group !== undefined) ?? '',
      line: code.slice(0, match.index).split('\n').length,
      body: code.slice(begin, endOfBlock(code, begin)),
    }
  })
}

const TEST = /(?<=\n *)(test|testPage)\(/g
const DEFINITION =
  /(?<=\n *(?:export )?)(?:(?:async )?function\*? (\w+)[<(]|const (\w+)(?=(?:: [^=\n]+)? = (?:async )?(?:\(|<|\w+ =>)).|(?:async )?(?!if|for|while|switch|catch|test|describe)#?(\w+)\((?=[^\n]*\{\n))/g

/** Files of tests, and of those that several test files share. */
const HOLDS_TESTS = /(\.test|\.cases|-cases|-checks)\.ts$/

/**
 * What proves something by itself: assertions, what waits for a state and fails without it, and a
 * visit to a page, which fails by what the browser reports.
 */
const PROOF = /\bassert\b|\.waitFor\w*\(|\buntil\w*\(|\bfixture\.visit\(/

/**
 * Finds the tests that assert nothing: neither they nor the functions that they name, in their own
 * file or as imports, call an assertion or wait for a state. As `path:line`.
 */
export function findTestsWithoutAssertion(files: readonly SourceFile[]): string[] {
  const code = new Map(files.map(({ path, text }) => [path, blankTexts(text)]))
  const definitions = new Map([...code].map(([path, text]) => [path, readBlocks(text, DEFINITION)]))
  const imports = new Map(files.map((file) => [file.path, readImports(file)]))
  const known = new Map<string, boolean>()

  function proves(path: string, name: string): boolean {
    const key = `${path} ${name}`
    const answer = known.get(key)
    if (answer !== undefined) return answer
    // A function that calls itself proves nothing by that.
    known.set(key, false)
    const own = (definitions.get(path) ?? []).filter((block) => block.name === name)
    const from = imports.get(path)?.get(name)
    const result =
      own.length > 0
        ? own.some(({ body }) => bodyProves(path, body))
        : from !== undefined && proves(from.path, from.name)
    known.set(key, result)
    return result
  }

  const bodyProves = (path: string, body: string): boolean =>
    PROOF.test(body) ||
    body.match(/(?<![.\w])[A-Za-z]\w*/g)?.some((name) => proves(path, name)) === true

  const withTests = files.filter(({ path }) => HOLDS_TESTS.test(path))
  return withTests.flatMap(({ path }) =>
    readBlocks(code.get(path) ?? '', TEST)
      .filter(({ body }) => !bodyProves(path, body))
      .map(({ line }) => `${path}:${line}`),
  )
}

/** What a file imports by its name in that file, from which file and under which name there. */
function readImports({ path, text }: SourceFile): Map<string, { path: string; name: string }> {
  const found = new Map<string, { path: string; name: string }>()
  for (const [, names = '', from = ''] of text.matchAll(/import \{([^}]*)\} from '(\.[^']+)'/g)) {
    for (const one of names.split(',')) {
      const [name = '', alias = name] = one.trim().replace('type ', '').split(' as ')
      found.set(alias, { path: posix.normalize(posix.join(posix.dirname(path), from)), name })
    }
  }
  return found
}
