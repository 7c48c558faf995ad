/**
 * Compiles a regular expression of an operator; letters of both cases match.
 * @throws SyntaxError when it does not compile
 */
export function compilePattern(source: string): RegExp {
  return new RegExp(source, 'iu')
}

/** Texts longer than this are cut before an operator's expression sees them. */
const LONGEST_TEXT = 2000

/** Returns the first group of a match, or the match where there is no group. */
export function captureFrom(pattern: RegExp, text: string): string | undefined {
  const found = pattern.exec(text.slice(0, LONGEST_TEXT))
  return found === null ? undefined : (found[1] ?? found[0])
}

/**
 * Returns why an expression is refused; undefined for one that is good. A repeated group that
 * itself repeats or chooses could need a time that grows exponentially with the text.
 */
export function findPatternProblem(source: string): string | undefined {
  try {
    compilePattern(source)
  } catch {
    return 'The regular expression does not compile.'
  }
  if (/\\[1-9k]/.test(source)) return 'References to groups are not allowed.'
  if (/\(\?(?!:)/.test(source)) return 'Only plain groups are allowed.'
  return hasNestedRepetition(source)
    ? 'A repeated group may neither repeat nor choose inside.'
    : undefined
}

function hasNestedRepetition(source: string): boolean {
  // Escapes and classes are one character each here.
  const plain = source.replace(/\\[dDwWsSbB]|\\./g, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x')
  const open: { isRepeating: boolean }[] = [{ isRepeating: false }]
  let closed: { isRepeating: boolean } | undefined
  for (const character of plain) {
    const isRepetition = '*+?{'.includes(character)
    if (isRepetition && closed?.isRepeating && character !== '?') return true
    const current = open.at(-1) as { isRepeating: boolean }
    if (character === '(') open.push({ isRepeating: false })
    if (isRepetition || character === '|') current.isRepeating = true
    closed = undefined
    if (character === ')' && open.length > 1) {
      closed = open.pop()
      if (closed?.isRepeating) (open.at(-1) as { isRepeating: boolean }).isRepeating = true
    }
  }
  return false
}
