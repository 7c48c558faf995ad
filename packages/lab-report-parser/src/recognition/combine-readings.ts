import type { Character } from './read-lines.ts'

/** Characters of both readings for the same sign; one of them may lack it. */
interface Pair {
  main?: Character
  latin?: Character
  /** Confidence of each reading in a space before it; 0 without one. */
  mainSpace: number
  latinSpace: number
}

interface Spaced extends Character {
  space: number
}

/**
 * Two readings place a sign a few pixels apart, more at the end of a line. The place only decides
 * between equal signs.
 */
const farthest = 100
const gapCost = 0.7
const surePoint = 0.9

/**
 * Returns whether the Latin model must read the line, too: it contains words, a bracket, two joined
 * figures, or an uncertain point.
 */
export function needsSecondReading(characters: readonly Character[]): boolean {
  return (
    /\p{L}{3}|[([]|\d[.,]\d+[.,]\d/u.test(textOf(characters)) ||
    characters.some(({ text, confidence }) => text === '.' && confidence < surePoint)
  )
}

/**
 * Combines two readings of a line, sign by sign. Figures and units come from the main model; words
 * from the Latin model, which knows accents. A sign that one lacks is taken from the other, if that
 * is certain.
 */
export function combineReadings(
  main: readonly Character[],
  latin: readonly Character[],
): Character[] {
  const combined: Character[] = []
  for (const run of splitRuns(alignReadings(main, latin))) {
    const isWord = isWordRun(run)
    const chosen = run.flatMap((pair) => chooseCharacter(pair, isWord) ?? [])
    if (chosen.length === 0) continue
    const { mainSpace, latinSpace } = run[0]!
    const space = Math.max(mainSpace, latinSpace)
    if (combined.length > 0 && space > 0) {
      combined.push({ text: ' ', x: chosen[0]!.x, confidence: space, variants: new Map() })
    }
    combined.push(...chosen)
  }
  return combined
}

/**
 * Splits pairs at spaces. A space that only the Latin model saw does not count within a figure, nor
 * after a sign that it lacks.
 */
function splitRuns(pairs: readonly Pair[]): Pair[][] {
  const runs: Pair[][] = []
  for (const [index, pair] of pairs.entries()) {
    const before = pairs[index - 1]
    const isInFigure = [before, pair].every((one) => /^[\d.,]?$/.test(one?.main?.text ?? ''))
    const isSpace = pair.mainSpace > 0 || (pair.latinSpace > 0 && !!before?.latin && !isInFigure)
    if (index === 0 || isSpace) runs.push([])
    runs.at(-1)!.push(pair)
  }
  return runs
}

function isWordRun(run: readonly Pair[]): boolean {
  const texts = [
    textOf(run.flatMap(({ main }) => main ?? [])),
    textOf(run.flatMap(({ latin }) => latin ?? [])),
  ]
  return (
    texts.some((text) => /\p{L}{3}/u.test(text)) &&
    !texts.some((text) => /\/[dcmnpfµμu]?[lLI1g]|mol|\d[.,]\d|[<>≤≥^]/.test(text))
  )
}

function chooseCharacter({ main, latin }: Pair, isWord: boolean): Character | undefined {
  if (!main) {
    const isWanted = latin && (isWord || /[)\]\d.,-]/.test(latin.text))
    return isWanted && latin.confidence > surelyThere ? latin : undefined
  }
  if (!latin || latin.text === main.text) return main
  // The tail of a comma is more often missed than invented.
  if (main.text === '.' && latin.text === ',') return { ...latin, x: main.x }
  if (!isWord) return main
  if (withoutAccents(latin.text) === withoutAccents(main.text)) return chooseAccent(main, latin)
  const isLetter = (text: string) => /\p{L}/u.test(text)
  if (isLetter(main.text) !== isLetter(latin.text)) {
    return main.confidence > latin.confidence ? main : { ...latin, x: main.x }
  }
  return { ...latin, x: main.x }
}

/** Confidence with which one model adds a sign that the other lacks. */
const surelyThere = 0.6

/**
 * Chooses the accent that both models together find most likely, among the accented letters of the
 * Latin model: accents are seldom invented, but often confused.
 */
function chooseAccent(main: Character, latin: Character): Character {
  if (latin.text === withoutAccents(latin.text)) return main
  let best = latin.text
  let most = 0
  for (const [text, likelihood] of latin.variants) {
    const both = likelihood * ((main.variants.get(text) ?? 0) + leastLikely)
    if (text === withoutAccents(text) || both <= most) continue
    best = text
    most = both
  }
  return { ...latin, text: best, x: main.x }
}

const leastLikely = 0.01

/**
 * Aligns the readings with least cost by dynamic programming: equal signs near each other are
 * pairs.
 */
function alignReadings(main: readonly Character[], latin: readonly Character[]): Pair[] {
  const left = attachSpaces(main)
  const right = attachSpaces(latin)
  const columns = right.length + 1
  const costs = new Float64Array((left.length + 1) * columns)
  for (let row = 0; row <= left.length; row++) {
    for (let column = 0; column < columns; column++) {
      if (row === 0 || column === 0) {
        costs[row * columns + column] = (row + column) * gapCost
        continue
      }
      costs[row * columns + column] = Math.min(
        costs[(row - 1) * columns + column]! + gapCost,
        costs[row * columns + column - 1]! + gapCost,
        costs[(row - 1) * columns + column - 1]! + pairCost(left[row - 1]!, right[column - 1]!),
      )
    }
  }
  const pairs: Pair[] = []
  let [row, column] = [left.length, right.length]
  while (row > 0 || column > 0) {
    const cost = costs[row * columns + column]!
    const [one, other] = [left[row - 1], right[column - 1]]
    if (one && other && cost === costs[(row - 1) * columns + column - 1]! + pairCost(one, other)) {
      pairs.push({ main: one, latin: other, mainSpace: one.space, latinSpace: other.space })
      row--
      column--
    } else if (one && cost === costs[(row - 1) * columns + column]! + gapCost) {
      pairs.push({ main: one, mainSpace: one.space, latinSpace: 0 })
      row--
    } else {
      pairs.push({ latin: other!, mainSpace: 0, latinSpace: other!.space })
      column--
    }
  }
  return pairs.reverse()
}

function pairCost(main: Character, latin: Character): number {
  const isLike =
    main.text === latin.text ||
    withoutAccents(main.text).toLowerCase() === withoutAccents(latin.text).toLowerCase()
  return (isLike ? 0 : 0.5) + Math.min(0.4, Math.abs(main.x - latin.x) / farthest)
}

function attachSpaces(characters: readonly Character[]): Spaced[] {
  const attached: Spaced[] = []
  let space = 0
  for (const character of characters) {
    if (character.text === ' ') {
      space = character.confidence
      continue
    }
    attached.push({ ...character, space })
    space = 0
  }
  return attached
}

function textOf(characters: readonly Character[]): string {
  return characters.map((character) => character.text).join('')
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}
